; What the grammars of JavaScript, TypeScript and TSX have in common; what differs is in script.scm, types.scm, jsx.scm.
; One combined query: a traversal costs a third of the parse, whatever it finds, so there is exactly one. Patterns name
; the kinds of nodes they mean: `(_)` makes compiling slow.
; What each capture means is written in extract/rows.py.

; ---- definitions
; default exports without a name are called `default`
(export_statement "default" @name value: [(arrow_function) (function_expression !name)] @def.function)
; functions assigned to a member: `Foo.prototype.bar = function () {}`
(program (expression_statement (assignment_expression
  left: (member_expression object: [(identifier) (member_expression)]) @name
  right: [(arrow_function) (function_expression)]) @def.function (#not-match? @name "^(module\\.)?exports\\b")))
; `module.exports = function () {}` is called `exports` unless it has a name
(assignment_expression left: (member_expression property: (property_identifier) @name) @_to
  right: [(arrow_function) (function_expression !name)] (#eq? @_to "module.exports")) @def.function
(assignment_expression left: (member_expression) @_to right: (function_expression name: (identifier) @name)
  (#eq? @_to "module.exports")) @def.function
(assignment_expression
  left: (member_expression object: [(identifier) (member_expression)] @_to property: (property_identifier) @name)
  right: [(arrow_function) (function_expression)] (#any-of? @_to "exports" "module.exports")) @def.function
; values that a CommonJS module exports under a name
(assignment_expression
  left: (member_expression object: [(identifier) (member_expression)] @_to property: (property_identifier) @name)
  right: [(string) (template_string) (number) (true) (false) (null) (object) (array) (new_expression) (call_expression)
    (binary_expression) (regex)]
  (#any-of? @_to "exports" "module.exports")) @def.taken
; functions of an object, and names that a pattern takes out of something: the engine keeps those at the top of the module
(pair key: (property_identifier) @name value: [(arrow_function) (function_expression)]) @def.member
(variable_declarator name: (object_pattern
  [(shorthand_property_identifier_pattern) @name @def.taken (pair_pattern value: (identifier) @name @def.taken)]))

; what a module exports by default where it is an expression: a variable called `default`
(export_statement "default" @bind value: [(new_expression) (call_expression) (object) (await_expression)] @value)
(export_statement "default" @export.local value: [(new_expression) (call_expression) (object) (await_expression)])
; what a pattern takes out of something, and what an object holds under a name
(variable_declarator name: (object_pattern (shorthand_property_identifier_pattern) @picked) value: (_) @value)
(variable_declarator
  name: (object_pattern (pair_pattern key: (property_identifier) @picked.key value: (identifier) @picked)) value: (_) @value)
(program (_ (variable_declarator name: (identifier) @entry.of value: (object [
  (pair key: (property_identifier) @entry value: [(new_expression) (call_expression) (identifier)] @value)
  (shorthand_property_identifier) @entry @value]))))
(program (export_statement (_ (variable_declarator name: (identifier) @entry.of value: (object [
  (pair key: (property_identifier) @entry value: [(new_expression) (call_expression) (identifier)] @value)
  (shorthand_property_identifier) @entry @value])))))
(export_statement "default" @entry.of value: (object [
  (pair key: (property_identifier) @entry value: [(new_expression) (call_expression) (identifier)] @value)
  (shorthand_property_identifier) @entry @value]))
(return_statement [(new_expression) (call_expression) (identifier) (this) (member_expression) (await_expression)] @returned)
(arrow_function body: [(new_expression) (call_expression) (await_expression)] @returned)

; ---- what is no code: masked before names are read
(comment) @comment
(template_string (string_fragment) @skip)
(regex) @skip

; ---- imports, one match per statement: `language.py` reads its names (a state for each name of a long list, waiting for
; the module behind it, would make matching cubic)
(export_statement [(export_clause) (namespace_export) "*"] @imp.clause source: (string) @imp.from) @reexp
(variable_declarator name: [(identifier) (object_pattern)] @imp.clause
  value: (call_expression function: (identifier) @imp.callee arguments: (arguments . (string) @imp.from .))
  (#eq? @imp.callee "require")) @imp
(variable_declarator name: [(identifier) (object_pattern)] @imp.clause
  value: (await_expression (call_expression function: (import) @imp.dynamic arguments: (arguments . (string) @imp.from)))) @imp
(variable_declarator name: (identifier) @imp.alias
  value: (member_expression
    object: (call_expression function: (identifier) @imp.callee arguments: (arguments . (string) @imp.from .))
    property: (property_identifier) @imp.name) (#eq? @imp.callee "require")) @imp
(call_expression function: (identifier) @imp.callee arguments: (arguments . (string) @imp.from)
  (#eq? @imp.callee "require")) @dyn
(call_expression function: (import) arguments: (arguments . [(string) (template_string)] @imp.from)) @dyn
; `jest.mock("./x")`: in this file the module is replaced
(call_expression function: (member_expression object: (identifier) @imp.mocker property: (property_identifier) @imp.callee)
  arguments: (arguments . (string) @imp.from) @imp.arguments
  (#any-of? @imp.mocker "jest" "vi") (#any-of? @imp.callee "mock" "doMock")) @imp
(new_expression constructor: (identifier) @imp.callee
  arguments: (arguments . (string) @imp.from . (member_expression object: (meta_property)))) @dyn
; `module.exports = require("./x")` passes all on, `exports.x = require("./x")` one module
(assignment_expression left: (member_expression) @imp.to
  right: (call_expression function: (identifier) @imp.callee arguments: (arguments . (string) @imp.from .))
  (#match? @imp.to "^(module\\.)?exports\\b")) @reexp
(assignment_expression left: (member_expression) @_to right: (object (pair key: (property_identifier) @imp.ns
    value: (call_expression function: (identifier) @imp.callee arguments: (arguments . (string) @imp.from .))) @reexp)
  (#eq? @_to "module.exports"))

; ---- exports
(export_specifier name: [(identifier) (string)] @export.local alias: [(identifier) (string)]? @export.name)
(export_statement declaration: [
  (function_declaration name: (identifier) @export.local)
  (generator_function_declaration name: (identifier) @export.local)
  (lexical_declaration (variable_declarator name: (identifier) @export.local))
  (variable_declaration (variable_declarator name: (identifier) @export.local))
  (lexical_declaration (variable_declarator name: (object_pattern
    [(shorthand_property_identifier_pattern) @export.local (pair_pattern value: (identifier) @export.local)])))])
(export_statement "default" @export.name declaration: [
  (function_declaration name: (identifier) @export.local)
  (generator_function_declaration name: (identifier) @export.local)])
(export_statement "default" @export.name value: (identifier) @export.local)
(export_statement "default" @export.local value: [(arrow_function) (function_expression !name)])
; `module.exports = x` gives the module itself another value: exported as `=`, as in `export = x`
(assignment_expression left: (member_expression) @_to "=" @export.name right: [(identifier) @export.local
  (function_expression name: (identifier) @export.local)] (#eq? @_to "module.exports"))
(assignment_expression left: (member_expression property: (property_identifier) @export.local) @_to "=" @export.name
  right: [(arrow_function) (function_expression !name) (class !name)] (#eq? @_to "module.exports"))
(assignment_expression
  left: (member_expression object: [(identifier) (member_expression)] @_to property: (property_identifier) @export.name)
  right: [(identifier) @export.local (arrow_function) (function_expression) (string) (template_string) (number) (true)
    (false) (null) (object) (array) (new_expression) (call_expression) (binary_expression) (regex)]
  (#any-of? @_to "exports" "module.exports"))
(assignment_expression left: (member_expression) @_to right: (object [
    (shorthand_property_identifier) @export.local
    (pair key: (property_identifier) @export.name value: (identifier) @export.local)
    (pair key: (property_identifier) @export.local value: [(arrow_function) (function_expression)])
    (method_definition name: (property_identifier) @export.local)])
  (#eq? @_to "module.exports"))

; ---- scopes without a name, and names that a scope binds itself
(arrow_function parameter: (identifier)? @local) @scope
(function_expression name: (identifier)? @local) @scope
(generator_function name: (identifier)? @local) @scope
(statement_block) @braces
(for_statement) @braces
(for_in_statement left: (identifier)? @local) @braces
(catch_clause parameter: (identifier)? @local) @braces
(switch_body) @braces
(shorthand_property_identifier_pattern) @local
(pair_pattern value: (identifier) @local)
(array_pattern (identifier) @local)
(rest_pattern (identifier) @local)
(assignment_pattern left: (identifier) @local)
(variable_declaration (variable_declarator name: (identifier) @hoist))
(assignment_expression left: [(identifier) (member_expression) (subscript_expression)] @assign right: (_) @value)
(augmented_assignment_expression left: [(identifier) (member_expression) (subscript_expression)] @write)
(update_expression argument: [(identifier) (member_expression) (subscript_expression)] @write)
(unary_expression "delete" argument: [(member_expression) (subscript_expression)] @write)

; ---- names that are no uses
(statement_identifier) @key

; ---- calls that the text alone does not show
(call_expression arguments: (template_string) @tagged)
