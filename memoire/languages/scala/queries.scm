; One combined query. What each capture means is written in extract/rows.py. Of two matches of one node the engine keeps
; the first one, or the one with a body.

; ---- definitions
(class_definition name: (identifier) @name extend: (extends_clause)? @bases body: (_)? @body) @def.class
(object_definition name: (identifier) @name extend: (extends_clause)? @bases body: (_)? @body) @def.class
(trait_definition name: (identifier) @name extend: (extends_clause)? @bases body: (_)? @body) @def.trait
(enum_definition name: (identifier) @name extend: (extends_clause)? @bases body: (_)? @body) @def.enum
(full_enum_case name: (identifier) @name extend: (extends_clause)? @bases) @def.class
(function_definition name: (identifier) @name body: (_) @body (#eq? @name "this")) @def.constructor
(extension_definition (parameters (parameter type: (_) @owner))
  (function_definition name: [(identifier) (operator_identifier)] @name return_type: (_)? @returns body: (_) @body)
  @def.method)
(extension_definition (parameters (parameter type: (_) @owner))
  (_ (function_definition name: (identifier) @name return_type: (_)? @returns body: (_) @body) @def.method))
(function_definition name: [(identifier) (operator_identifier)] @name return_type: (_)? @returns
  body: (_) @body) @def.function
(function_declaration name: [(identifier) (operator_identifier)] @name return_type: (_)? @returns) @def.function
(instance_expression [
    (type_identifier) @name @bases
    (generic_type type: (type_identifier) @name) @bases
    (compound_type base: [(type_identifier) @name @bases (generic_type type: (type_identifier) @name) @bases
      (applied_constructor_type . (type_identifier) @name @bases)])]
  (template_body) @def.anonymous)
(package_object name: (identifier) @name body: (_) @body) @def.namespace
(package_clause name: (package_identifier) @name body: (_) @body) @def.namespace
(type_definition name: (type_identifier) @name type: (_) @returns) @def.type
(given_definition name: (identifier) @name return_type: (_)? @returns) @def.variable
(enum_definition name: (identifier) @returns
  body: (enum_body (enum_case_definitions (simple_enum_case name: (identifier) @name) @def.variable)))
(class_definition "case" class_parameters: (class_parameters
  (class_parameter name: (identifier) @name type: (_)? @returns) @def.variable))
(class_parameters (class_parameter ["val" "var"] name: (identifier) @name type: (_)? @returns) @def.variable)
(template_body (val_definition pattern: (identifier) @name type: (_)? @returns value: (_)? @value) @def.variable)
(template_body (var_definition pattern: (identifier) @name type: (_)? @returns value: (_)? @value) @def.variable)
(template_body (val_declaration name: (identifier) @name type: (_)? @returns) @def.variable)
(type_parameters (identifier) @typevar)
(type_parameters [(covariant_type_parameter (identifier) @typevar) (contravariant_type_parameter (identifier) @typevar)])
(function_definition !return_type
  body: [(call_expression) (field_expression) (identifier) (instance_expression)] @returned)

; ---- what is no code
[(comment) (block_comment)] @comment
[(string) (character_literal) (end_marker)] @skip
(interpolated_string) @skip
(interpolation) @code
(interpolated_string_expression interpolator: (identifier) @key)
(generic_function type_arguments: (type_arguments) @generic)
(instance_expression (generic_type type_arguments: (type_arguments) @generic))
(call_expression function: [(identifier) (field_expression)] arguments: [(block) (case_block)] @unparenthesized)
(access_qualifier) @skip
(singleton_type "." @skip "type")
(singleton_type "type" @skip)

; ---- imports
(package_clause name: (package_identifier) @package !body)
(package_clause name: (package_identifier) @hide)
(import_declaration) @imp.clause @imp
(export_declaration) @hide

; ---- names that a scope binds itself
(class_parameters (class_parameter name: (identifier) @field type: (_)? @type))
(parameters (parameter name: (identifier) @param type: (_)? @type))
(bindings (binding name: (identifier) @param type: (_)? @type))
(lambda_expression parameters: (identifier)? @local) @scope
(val_definition pattern: (identifier) @bind type: (_)? @type value: (_)? @value)
(var_definition pattern: (identifier) @bind type: (_)? @type value: (_)? @value)
(enumerator . (identifier) @bind . "<-" . (_) @item)
(enumerator . (identifier) @bind . "=" . (_) @value)
(typed_pattern pattern: (identifier) @bind type: (_) @type)
(capture_pattern name: (identifier) @local)
(tuple_pattern (identifier) @local)
(alternative_pattern (identifier) @local (#match? @local "^[a-z_]"))
(case_clause pattern: (identifier) @local (#match? @local "^[a-z_]"))
(case_class_pattern (identifier) @local (#match? @local "^[a-z_]"))
(infix_pattern (identifier) @local (#match? @local "^[a-z_]"))
(assignment_expression left: [(identifier) (field_expression)] @write)
(infix_expression left: [(identifier) (field_expression)] @write operator: (operator_identifier) @_sets
  (#match? @_sets "^[^=!<>a-zA-Z]+=$"))
(block) @braces
(indented_block) @braces
(case_clause) @braces
(for_expression) @braces
(extension_definition) @braces

; ---- names that are no uses
(infix_expression operator: (identifier) @key)
(arguments (assignment_expression left: (identifier) @key))
; the parameter of what is done with each item of a collection is one of them
(call_expression function: (field_expression value: (_) @item field: (identifier) @_each)
  arguments: (_ . (lambda_expression parameters: (identifier) @bind)) (#any-of? @_each "forEach" "forEachOrdered" "map" "flatMap" "filter" "filterNot" "anyMatch" "allMatch" "noneMatch" "any" "all" "none" "exists" "forall" "find" "first" "last" "firstOrNull" "count" "sumOf" "associateBy" "groupBy" "partition"
    "sortedBy" "sortBy" "maxBy" "minBy" "mapNotNull" "foreach" "onEach" "peek" "ifPresent" "removeIf" "mapToInt" "mapToLong"))
