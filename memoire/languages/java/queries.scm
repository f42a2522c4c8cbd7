; One combined query. What each capture means is written in extract/rows.py.

; ---- definitions
(class_declaration name: (identifier) @name (superclass)? @bases (super_interfaces)? @bases body: (_) @body) @def.class
(record_declaration name: (identifier) @name (super_interfaces)? @bases body: (_) @body) @def.class
(enum_declaration name: (identifier) @name (super_interfaces)? @bases body: (_) @body) @def.enum
(interface_declaration name: (identifier) @name (extends_interfaces)? @bases body: (_) @body) @def.interface
(annotation_type_declaration name: (identifier) @name body: (_) @body) @def.interface
(method_declaration type: (_) @returns name: (identifier) @name body: (_)? @body) @def.method
(annotation_type_element_declaration type: (_) @returns name: (identifier) @name) @def.method
(constructor_declaration name: (identifier) @name body: (_) @body) @def.constructor
(compact_constructor_declaration name: (identifier) @name body: (_) @body) @def.constructor
(object_creation_expression type: [(type_identifier) @name (scoped_type_identifier (type_identifier) @name .)
  (generic_type . (type_identifier) @name)] @bases (class_body) @def.anonymous)
(enum_declaration name: (identifier) @returns
  body: (enum_body (enum_constant name: (identifier) @name) @def.variable))
(record_declaration parameters: (formal_parameters
  (formal_parameter type: (_) @returns name: (identifier) @name) @def.variable))
(constant_declaration type: (_) @returns declarator: (variable_declarator name: (identifier) @name) @def.variable)
(field_declaration (modifiers "static") type: (_) @returns
  declarator: (variable_declarator name: (identifier) @name) @def.variable)
(field_declaration (modifiers "static") type: (_) . declarator: (variable_declarator) @inner) @decorated
(constant_declaration type: (_) . declarator: (variable_declarator) @inner) @decorated
(type_parameters (type_parameter (type_identifier) @typevar))

; ---- what is no code
[(line_comment) (block_comment)] @comment
[(string_literal) (character_literal)] @skip
(class_literal "." @skip)
(class_literal "class" @skip)
(method_reference "new" @skip)
(method_invocation type_arguments: (_) @skip)
(object_creation_expression type: (generic_type (type_arguments) @generic))

; ---- imports
(package_declaration [(scoped_identifier) (identifier)] @package)
(package_declaration) @hide
(import_declaration) @imp.clause @imp

; ---- names that a scope binds itself
(field_declaration type: (_) @type declarator: (variable_declarator name: (identifier) @field value: (_)? @value))
(formal_parameter type: (_) @type name: (identifier) @param)
(spread_parameter (variable_declarator name: (identifier) @local))
(local_variable_declaration type: (_) @type
  declarator: (variable_declarator name: (identifier) @bind value: (_)? @value))
(enhanced_for_statement type: (_) @type name: (identifier) @bind value: (_) @item)
(resource type: (_) @type name: (identifier) @bind value: (_) @value)
(catch_formal_parameter (catch_type) @type name: (identifier) @bind)
(instanceof_expression right: (_) @type name: (identifier) @bind)
(type_pattern . (_) @type . (identifier) @bind)
(record_pattern_component . (_) @type . (identifier) @bind)
(lambda_expression parameters: (identifier)? @local) @scope
(inferred_parameters (identifier) @local)
(assignment_expression left: [(identifier) (field_access) (array_access)] @write)
(update_expression [(identifier) (field_access) (array_access)] @write)
(block) @braces
(for_statement) @braces
(enhanced_for_statement) @braces
(try_with_resources_statement) @braces
(catch_clause) @braces
(switch_rule) @braces
(switch_block_statement_group) @braces

; ---- names that are no uses
(labeled_statement . (identifier) @key)
(break_statement (identifier) @key)
(continue_statement (identifier) @key)
(element_value_pair key: (identifier) @key)
; the parameter of what is done with each item of a collection is one of them
(method_invocation object: (_) @item name: (identifier) @_each arguments: (argument_list . (lambda_expression
  parameters: (identifier) @bind)) (#any-of? @_each "forEach" "forEachOrdered" "map" "flatMap" "filter" "filterNot" "anyMatch" "allMatch" "noneMatch" "any" "all" "none" "exists" "forall" "find" "first" "last" "firstOrNull" "count" "sumOf" "associateBy" "groupBy" "partition"
    "sortedBy" "sortBy" "maxBy" "minBy" "mapNotNull" "foreach" "onEach" "peek" "ifPresent" "removeIf" "mapToInt" "mapToLong"))
