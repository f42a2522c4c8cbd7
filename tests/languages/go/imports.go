package main

import "os" // => import os
import . "strings" // => import strings:*
import _ "net/http/pprof" // => import net/http/pprof
import (
	yaml "gopkg.in/yaml.v3" // => import gopkg.in/yaml.v3 as yaml
	"gopkg.in/ini.v1" // => import gopkg.in/ini.v1 as ini
	"github.com/redis/go-redis/v9" // => import github.com/redis/go-redis/v9 as redis
	"github.com/mattn/go-isatty" // => import github.com/mattn/go-isatty as isatty
	"k8s.io/api/apps/v2" // => import k8s.io/api/apps/v2 as v2
	"github.com/acme/tool/v3" // => import github.com/acme/tool/v3 as tool
	local "./sub" // => import ./sub as local
	"C" // => import C
)

func main() { // => def function main
	os.Getenv("HOME") // => call os.Getenv; effect env os.Getenv
	ToUpper("x")      // => call *.ToUpper
	yaml.Marshal(ini.Empty()) // => call gopkg.in/yaml.v3.Marshal; call gopkg.in/ini.v1.Empty
	client := redis.NewClient(nil) // => call github.com/redis/go-redis/v9.NewClient; effect cache github.com/redis/go-redis.NewClient
	client.Get(ctx, "k") // => call github.com/redis/go-redis/v9.NewClient().Get; effect cache github.com/redis/go-redis.Client.Get; read *.ctx
	isatty.IsTerminal(os.Stdout.Fd()) // => call github.com/mattn/go-isatty.IsTerminal; call os.Stdout.Fd
	var d v2.Deployment // => read k8s.io/api/apps/v2.Deployment
	d.Reset()           // => call k8s.io/api/apps/v2.Deployment().Reset
	tool.Run(local.Name) // => call github.com/acme/tool/v3.Run; read ./sub.Name
	C.free(nil) // => call C.free
	other() // => call *.other
	shared = 3 // => write *.shared
	shared++
}
