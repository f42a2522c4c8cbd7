; One combined query; what each capture means is written in extract/rows.py.

; ---- definitions
(function_declaration name: (identifier) @name body: (_)? @body) @def.function
(function_declaration name: [(dot_index_expression) (method_index_expression)] @name body: (_)? @body) @def.method
(assignment_statement (variable_list . name: (dot_index_expression) @name .)
  (expression_list . value: (function_definition body: (_)? @body) .) (#not-match? @name "^self[.]")) @def.method
(variable_declaration (assignment_statement (variable_list . name: (identifier) @name .)
  (expression_list . value: (function_definition body: (_)? @body) .))) @def.function
(field name: (identifier) @name value: (function_definition body: (_)? @body)) @def.member
(variable_declaration (assignment_statement (variable_list . name: (identifier) @name .)
  (expression_list . value: (table_constructor) .))) @def.table
(chunk (assignment_statement (variable_list . name: (identifier) @name .)
  (expression_list . value: (table_constructor) .)) @def.table)

; ---- classes: a table whose metatable, or whose maker, names a base
(variable_declaration (assignment_statement (variable_list . name: (identifier) @name .)
  (expression_list . value: (function_call name: (identifier) @_set
    arguments: (arguments (table_constructor) (table_constructor (field name: (identifier) @_key value: (identifier) @bases)))) .))
  (#eq? @_set "setmetatable") (#eq? @_key "__index")) @def.class
(variable_declaration (assignment_statement (variable_list . name: (identifier) @name .)
  (expression_list . value: (function_call name: (method_index_expression table: (_) @bases method: (identifier) @_extend)) .))
  (#any-of? @_extend "extend" "subclass" "derive")) @def.class
(variable_declaration (assignment_statement (variable_list . name: (identifier) @name .)
  (expression_list . value: (function_call name: (identifier) @_class arguments: (arguments . (string) . (identifier)? @bases .)) .))
  (#any-of? @_class "class" "Class")) @def.class
((function_call name: (identifier) @_set arguments: (arguments . (identifier) @heir .
  (table_constructor (field name: (identifier) @_key value: (identifier) @bases))))
  (#eq? @_set "setmetatable") (#eq? @_key "__index"))

; ---- what is no code
(comment) @comment
(string) @skip
[(goto_statement) (label_statement)] @hide
(attribute) @hide

; ---- imports
(variable_declaration (assignment_statement (variable_list . name: (identifier) @imp.alias .)
  (expression_list . value: (function_call name: (identifier) @_require
    arguments: (arguments . (string content: (string_content) @imp.from) .)) .))
  (#eq? @_require "require")) @imp
(assignment_statement (variable_list . name: (identifier) @imp.alias .)
  (expression_list . value: (function_call name: (identifier) @_require
    arguments: (arguments . (string content: (string_content) @imp.from) .)) .)
  (#eq? @_require "require")) @imp
(variable_declaration (assignment_statement (variable_list . name: (identifier) @imp.alias .)
  (expression_list . value: (dot_index_expression table: (function_call name: (identifier) @_require
    arguments: (arguments . (string content: (string_content) @imp.from) .)) field: (identifier) @imp.name) .))
  (#eq? @_require "require")) @imp
((function_call name: (identifier) @_require arguments: (arguments . (string content: (string_content) @imp.from) .))
  (#any-of? @_require "require" "dofile" "loadfile")) @dyn
((function_call name: (identifier) @_pcall
  arguments: (arguments . (identifier) @_require . (string content: (string_content) @imp.from) .))
  (#any-of? @_pcall "pcall" "xpcall") (#eq? @_require "require")) @dyn

; ---- what a module gives
(chunk (return_statement (expression_list . (identifier) @export.whole .)))
(chunk (return_statement (expression_list . (function_call name: (identifier) @_set
  arguments: (arguments . (identifier) @export.whole)) .)) (#eq? @_set "setmetatable"))
(chunk (return_statement (expression_list . (table_constructor
  (field name: (identifier) @export.name value: (identifier) @export.local)) .)))

; ---- names that a scope binds itself
(parameters (identifier) @param)
(function_definition) @scope
[(block) (for_statement)] @braces
(variable_declaration (assignment_statement (variable_list . name: (identifier) @bind .) (expression_list . value: (_) @value .)))
(variable_declaration (variable_list name: (identifier) @bind))
(variable_declaration (assignment_statement (variable_list (identifier) @local . (identifier))))
(variable_declaration (assignment_statement (variable_list (identifier) . (identifier) @local)))
(for_generic_clause (variable_list name: (identifier) @local))
(for_numeric_clause name: (identifier) @local)
(chunk (assignment_statement (variable_list . name: (_) @bind .) (expression_list . value: (_) @value .)))
(block (assignment_statement (variable_list . name: (_) @assign .) (expression_list . value: (_) @value .)))
(assignment_statement (variable_list [(dot_index_expression) (bracket_index_expression)] @write . (_)))
(assignment_statement (variable_list (_) . [(dot_index_expression) (bracket_index_expression)] @write))
(return_statement (expression_list . (_) @returned .))
((arguments) @unparenthesized (#match? @unparenthesized "^[^(]"))
