; One combined query. What each capture means is written in extract/rows.py. Of two matches of one node the engine keeps
; the one with a body.

; ---- definitions
(class_declaration "class" name: (identifier) @name (delegation_specifiers)? @bases (enum_class_body) @body) @def.enum
(class_declaration "class" name: (identifier) @name (delegation_specifiers)? @bases (class_body)? @body) @def.class
(class_declaration "interface" name: (identifier) @name (delegation_specifiers)? @bases (class_body)? @body) @def.interface
(object_declaration name: (identifier) @name (delegation_specifiers)? @bases (class_body)? @body) @def.class
(object_literal (delegation_specifiers . (delegation_specifier
  [(user_type (identifier) @name) (constructor_invocation (user_type (identifier) @name))] @bases))
  (class_body) @def.anonymous)
(function_declaration "fun" . (type_parameters)? . name: (identifier) @name
  (function_value_parameters) . [(user_type) (nullable_type)]? @returns (function_body)? @body) @def.function
(function_declaration [(user_type) (nullable_type)] @owner . name: (identifier) @name
  (function_value_parameters) . [(user_type) (nullable_type)]? @returns (function_body)? @body) @def.method
; what a companion inherits, its class has
(companion_object (delegation_specifiers (delegation_specifier
  [(user_type) @base (constructor_invocation (user_type) @base)])))
(secondary_constructor "constructor" @name (block)? @body) @def.constructor
(type_alias type: (identifier) @name (user_type)? @returns) @def.type
(class_declaration name: (identifier) @returns (enum_class_body (enum_entry (identifier) @name) @def.variable))
(class_parameter ["val" "var"] (identifier) @name . [(user_type) (nullable_type)]? @returns) @def.variable
(class_body (property_declaration ["val" "var"] . (variable_declaration (identifier) @name
  . [(user_type) (nullable_type)]? @returns)
  . [(call_expression) (navigation_expression) (identifier) (as_expression)]? @value) @def.variable)
(enum_class_body (property_declaration ["val" "var"] . (variable_declaration (identifier) @name
  . [(user_type) (nullable_type)]? @returns)
  . [(call_expression) (navigation_expression) (identifier) (as_expression)]? @value) @def.variable)
(class_body (property_declaration (variable_declaration (identifier) @name) (property_delegate
  (call_expression (identifier) @_lazy (annotated_lambda (lambda_literal . (call_expression) @value .))))) @def.variable
  (#eq? @_lazy "lazy"))
(source_file (property_declaration [(user_type) (nullable_type)] @owner . (variable_declaration (identifier) @name
  . [(user_type) (nullable_type)]? @returns)) @def.method)
(function_body "=" . [(call_expression) (navigation_expression) (identifier)] @returned)
(type_parameters (type_parameter (identifier) @typevar))

; ---- what is no code
[(line_comment) (block_comment)] @comment
[(string_content) (character_literal)] @skip
(label) @skip
(use_site_target) @skip
(file_annotation) @hide
(this_expression "this@" @skip)
(callable_reference . "::" @skip)
(navigation_expression "::" . (identifier) @skip (#eq? @skip "class"))
(navigation_expression "::" @skip . (identifier) @_class (#eq? @_class "class"))
(call_expression [(identifier) (navigation_expression)] . (annotated_lambda) @unparenthesized)

; ---- imports
(package_header (qualified_identifier) @package)
(package_header) @hide
(import) @imp.clause @imp

; ---- names that a scope binds itself
(source_file (property_declaration ["val" "var"] . (variable_declaration (identifier) @bind
  . [(user_type) (nullable_type)]? @type)
  . [(call_expression) (navigation_expression) (identifier) (as_expression) (string_literal) (number_literal)]? @value))
(block (property_declaration ["val" "var"] . (variable_declaration (identifier) @bind
  . [(user_type) (nullable_type)]? @type)
  . [(call_expression) (navigation_expression) (identifier) (as_expression)]? @value))
(lambda_literal (property_declaration ["val" "var"] . (variable_declaration (identifier) @bind
  . [(user_type) (nullable_type)]? @type)
  . [(call_expression) (navigation_expression) (identifier) (as_expression)]? @value))
(multi_variable_declaration (variable_declaration (identifier) @local))
(when_subject (variable_declaration (identifier) @bind) . [(call_expression) (navigation_expression) (identifier)]? @value)
(parameter (identifier) @param . [(user_type) (nullable_type) (function_type)]? @type)
(function_value_parameters (parameter_modifiers) . (parameter (identifier) @local))
(class_parameter (identifier) @param . [(user_type) (nullable_type) (function_type)]? @type)
(for_statement (variable_declaration (identifier) @bind [(user_type) (nullable_type)]? @type) . (_) @item)
(catch_block (identifier) @bind . (_) @type)
(lambda_parameters (variable_declaration (identifier) @param . [(user_type) (nullable_type)]? @type))
(lambda_literal) @scope
(anonymous_function) @scope
(assignment left: [(identifier) (navigation_expression) (index_expression)] @write)
(unary_expression argument: [(identifier) (navigation_expression) (index_expression)] @write ["++" "--"])
(block) @braces
(for_statement) @braces
(catch_block) @braces
(when_expression) @braces
(getter) @braces
(setter) @braces

; ---- names that are no uses
(infix_expression . (_) . (identifier) @key)
(return_expression label: (identifier) @key)
(labeled_expression (identifier) @key)
(value_argument . (identifier) @key . (_))
(function_declaration [(user_type) (nullable_type)] . "." @skip . name: (identifier))
(property_declaration [(user_type) (nullable_type)] . "." @skip . (variable_declaration))
; what is assigned in a block that another object runs is the object's
(call_expression (navigation_expression (identifier) @_runs .) (annotated_lambda (lambda_literal
  (assignment left: (identifier) @key))) (#any-of? @_runs "apply" "run"))
(call_expression (call_expression (identifier) @_with) (annotated_lambda (lambda_literal
  (assignment left: (identifier) @key))) (#eq? @_with "with"))
; the parameter of what is done with each item of a collection is one of them
(call_expression (navigation_expression . (_) @item (identifier) @_each .) (annotated_lambda (lambda_literal
  (lambda_parameters . (variable_declaration . (identifier) @bind .) .))) (#any-of? @_each "forEach" "forEachOrdered" "map" "flatMap" "filter" "filterNot" "anyMatch" "allMatch" "noneMatch" "any" "all" "none" "exists" "forall" "find" "first" "last" "firstOrNull" "count" "sumOf" "associateBy" "groupBy" "partition"
    "sortedBy" "sortBy" "maxBy" "minBy" "mapNotNull" "foreach" "onEach" "peek" "ifPresent" "removeIf" "mapToInt" "mapToLong"))
(lambda_literal) @implied
(call_expression (navigation_expression . (_) @item (identifier) @_each .) (annotated_lambda (lambda_literal) @implied)
  (#any-of? @_each "forEach" "forEachOrdered" "map" "flatMap" "filter" "filterNot" "anyMatch" "allMatch" "noneMatch" "any" "all" "none" "exists" "forall" "find" "first" "last" "firstOrNull" "count" "sumOf" "associateBy" "groupBy" "partition"
    "sortedBy" "sortBy" "maxBy" "minBy" "mapNotNull" "foreach" "onEach" "peek" "ifPresent" "removeIf" "mapToInt" "mapToLong"))
(call_expression (navigation_expression . (_) @value (identifier) @_self .) (annotated_lambda (lambda_literal) @implied)
  (#any-of? @_self "let" "also" "takeIf" "takeUnless" "use"))
; what a block is given under a name, and what it runs inside of
(call_expression (navigation_expression . (_) @value (identifier) @_self .) (annotated_lambda (lambda_literal
  (lambda_parameters . (variable_declaration . (identifier) @bind .) .))) (#any-of? @_self "let" "also" "takeIf" "takeUnless" "use"))
(call_expression (navigation_expression . (_) @value (identifier) @_runs .) (annotated_lambda (lambda_literal) @within)
  (#any-of? @_runs "apply" "run"))
(call_expression (call_expression (identifier) @_with (value_arguments . (value_argument . (_) @value .) .))
  (annotated_lambda (lambda_literal) @within) (#eq? @_with "with"))
; what is made when it is first asked for
(block (property_declaration (variable_declaration . (identifier) @bind .) (property_delegate
  (call_expression (identifier) @_lazy (annotated_lambda (lambda_literal . (call_expression) @value .)))))
  (#eq? @_lazy "lazy"))
(source_file (property_declaration (variable_declaration . (identifier) @bind .) (property_delegate
  (call_expression (identifier) @_lazy (annotated_lambda (lambda_literal . (call_expression) @value .)))))
  (#eq? @_lazy "lazy"))
(class_body (property_declaration (variable_declaration . (identifier) @name .) (property_delegate
  (call_expression (identifier) @_inject (type_arguments)) @value)) @def.variable (#any-of? @_inject "inject" "injectLazy"))
(block (property_declaration (variable_declaration . (identifier) @bind .) (property_delegate
  (call_expression (identifier) @_inject (type_arguments)) @value)) (#any-of? @_inject "inject" "injectLazy"))
