package effects

import (
	"bufio" // => import bufio
	"database/sql" // => import database/sql as sql
	"log" // => import log
	"net/http" // => import net/http as http
	"os" // => import os
	"os/exec" // => import os/exec as exec
	"time" // => import time

	"go.uber.org/zap" // => import go.uber.org/zap as zap
	"gorm.io/gorm" // => import gorm.io/gorm
)

type Store struct { // => def struct Store
	db *sql.DB // => read database/sql.DB
	client *http.Client // => read net/http.Client
	orm *gorm.DB // => read gorm.io/gorm.DB
}

func (s *Store) Load(id int, tx *sql.Tx) { // => def method Store.Load; read Store; read database/sql.Tx
	row := s.db.QueryRow("select 1", id) // => read Store.db; call database/sql.DB().QueryRow; effect database database/sql.DB.QueryRow
	row.Scan(&id) // => call database/sql.DB().QueryRow().Scan; effect database database/sql.Row.Scan
	tx.Commit() // => call database/sql.Tx().Commit; effect database database/sql.Tx.Commit
	s.client.Do(nil) // => read Store.client; call net/http.Client().Do; effect network net/http.Client.Do
	s.orm.Where("x").First(nil) // => read Store.orm; call gorm.io/gorm.DB().Where; call gorm.io/gorm.DB().Where().First; effect database gorm.io/gorm.DB.First
	s.query("nothing")      // => call Store.query
}

type Wrapped struct { // => def struct Wrapped
	*sql.DB // => base database/sql.DB
}

func (w Wrapped) Ping() {} // => def method Wrapped.Ping; read Wrapped

func (w Wrapped) Wipe() { // => def method Wrapped.Wipe; read Wrapped
	w.Exec("delete from x") // => call Wrapped.Exec; effect database database/sql.DB.Exec
	w.Ping() // => call Wrapped.Ping
}

func run() { // => def function run
	file, err := os.Create("x") // => call os.Create; effect file_io os.Create
	defer file.Close() // => call os.Create().Close; effect file_io os.File.Close
	bufio.NewReader(file) // => call bufio.NewReader
	exec.Command("ls").Run() // => call os/exec.Command; call os/exec.Command().Run; effect subprocess os/exec.Cmd.Run
	log.Println(err) // => call log.Println; effect logging log.Println
	logger, _ := zap.NewProduction() // => call go.uber.org/zap.NewProduction
	logger.Info("x") // => call go.uber.org/zap.NewProduction().Info; effect logging go.uber.org/zap.Logger.Info
	time.Sleep(time.Second) // => call time.Sleep; read time.Second; effect clock time.Sleep
	_ = os.Args // => read os.Args; effect env os.Args
	println("x") // => effect ui builtin.println; call *.println
	http := fake() // => call *.fake
	http.Get("x") // => call *.fake().Get
}
