; One combined query; what each capture means is written in extract/rows.py.

; ---- definitions
(call target: (identifier) @_def (arguments . (alias) @name) (do_block) @body (#eq? @_def "defmodule")) @def.module
(call target: (identifier) @_def (arguments . (alias) @name) (do_block) @body (#eq? @_def "defprotocol")) @def.interface
(call target: (identifier) @_def (arguments . (alias) @name) (do_block) @body (#eq? @_def "defimpl")) @def.extension
(call target: (identifier) @_def (arguments . [
    (identifier) @name
    (call target: (identifier) @name)
    (binary_operator left: [(identifier) @name (call target: (identifier) @name)])
  ] (keywords)? @body) (do_block)? @body
  (#any-of? @_def "def" "defp" "defmacro" "defmacrop" "defguard" "defguardp" "defdelegate" "defn" "defnp")) @def.function
(call target: (identifier) @_def (arguments . (string) @name) (do_block) @body (#any-of? @_def "test" "property")) @def.test

; ---- what is no code
(comment) @comment
(string (quoted_content) @skip)
[(integer) (float) (charlist) (sigil) (char) (keyword) (quoted_keyword) (quoted_atom)] @skip
((atom) @skip (#not-match? @skip
  "^:(gen_tcp|gen_udp|gen_sctp|ssl|httpc|inet|ftp|ssh|ssh_sftp|file|filelib|ets|dets|mnesia|os|rand|crypto|erlang|timer|logger|io|zip|erl_tar|hackney|odbc|eredis|brod|gun|cowboy)$"))
(interpolation) @code
((unary_operator operand: (call target: (identifier) @_doc (arguments (string) @doc))) (#eq? @_doc "moduledoc"))
((unary_operator operand: (call target: (identifier) @_doc (arguments (string) @doc.ahead))) @statement (#eq? @_doc "doc"))
((unary_operator operand: (call target: (identifier) @_spec)) @hide
  (#any-of? @_spec "spec" "type" "typep" "opaque" "callback" "macrocallback"))

; ---- imports
(call target: (identifier) @imp.verb (arguments) @imp.clause (#any-of? @imp.verb "alias" "import" "require" "use")) @imp
(call target: (identifier) @_use (arguments . (alias) @base) (#eq? @_use "use"))
((unary_operator operand: (call target: (identifier) @_b (arguments . (alias) @base))) (#eq? @_b "behaviour"))

; ---- variables: a name alone calls nothing
(unary_operator operator: "@" operand: (call target: (identifier) @key))
([(arguments (identifier) @key) (unary_operator operand: (identifier) @key) (list (identifier) @key)
 (tuple (identifier) @key) (pair value: (identifier) @key) (map_content (identifier) @key) (body (identifier) @key)
 (do_block (identifier) @key) (else_block (identifier) @key) (after_block (identifier) @key)
 (rescue_block (identifier) @key) (catch_block (identifier) @key) (block (identifier) @key)
 (access_call target: (identifier) @key) (access_call key: (identifier) @key) (dot left: (identifier) @key)
 (interpolation (identifier) @key) (bitstring (identifier) @key) (struct (identifier) @key)]
 (#not-eq? @key "__MODULE__"))
(binary_operator left: (identifier) @key operator: ["=" "<-" "|>" "|" "<>" "++" "--" "+" "-" "*" "==" "!=" "===" "!==" "<" ">" "<=" ">=" "&&" "||" "and" "or" "in" "when" "::" "//" "=~" "\\\\" "not in" ".."])
; One of many operators, each a state of its own for the matcher, is told by its text; what `not in` says may be spaced.
(binary_operator operator: _ @_operator right: (identifier) @key (#any-of? @_operator "=" "<-" "|" "<>" "++" "--" "+" "-" "*" "/" "==" "!=" "===" "!==" "<" ">" "<=" ">=" "&&" "||" "and" "or" "in" "when" "::" "//" "=~" "\\\\" ".."))
(binary_operator operator: "not in" right: (identifier) @key)
