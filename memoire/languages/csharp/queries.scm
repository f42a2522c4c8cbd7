; One combined query. What each capture means is written in extract/rows.py.

; ---- definitions
(class_declaration name: (identifier) @name (base_list)? @bases body: (_)? @body) @def.class
(record_declaration name: (identifier) @name (base_list)? @bases body: (_)? @body) @def.class
(struct_declaration name: (identifier) @name (base_list)? @bases body: (_)? @body) @def.struct
(interface_declaration name: (identifier) @name (base_list)? @bases body: (_)? @body) @def.interface
(enum_declaration name: (identifier) @name body: (_)? @body) @def.enum
(enum_member_declaration name: (identifier) @name) @def.variable
(namespace_declaration name: (_) @name body: (_) @body) @def.namespace
(file_scoped_namespace_declaration name: (_) @package)
(delegate_declaration type: (_) @returns name: (identifier) @name) @def.type
(method_declaration returns: (_) @returns name: (identifier) @name body: (_)? @body) @def.method
(constructor_declaration name: (identifier) @name body: (_)? @body) @def.method
(local_function_statement type: (_) @returns name: (identifier) @name body: (_)? @body) @def.function
(property_declaration type: (_) @returns name: (identifier) @name) @def.variable
(event_declaration type: (_) @returns name: (identifier) @name) @def.variable
(field_declaration (variable_declaration type: (_) @returns (variable_declarator name: (identifier) @name) @def.variable))
(event_field_declaration (variable_declaration type: (_) @returns (variable_declarator name: (identifier) @name) @def.variable))
(record_declaration (parameter_list (parameter type: (_) @returns name: (identifier) @name) @def.variable))
(method_declaration parameters: (parameter_list . (parameter (modifier) @_this type: (_) @type)) (#eq? @_this "this")) @extension_method

; ---- what is no code
(comment) @comment
[(string_literal) (verbatim_string_literal) (raw_string_literal) (character_literal) (string_content)
  (interpolation_format_clause)] @skip

; ---- usings
(using_directive) @imp @imp.clause
(extern_alias_directive) @hide
(file_scoped_namespace_declaration name: (_) @key)
(namespace_declaration name: (_) @key)

; ---- names that a scope binds itself
(parameter type: (_)? @type name: (identifier) @param)
(parameter_list name: (identifier) @local)
(implicit_parameter) @local
(type_parameter name: (identifier) @typevar)
(local_declaration_statement (variable_declaration type: (_) @type (variable_declarator name: (identifier) @bind . (_) @value)))
(local_declaration_statement (variable_declaration type: (_) @type (variable_declarator name: (identifier) @bind .)))
(for_statement initializer: (variable_declaration type: (_) @type (variable_declarator name: (identifier) @bind (_)? @value)))
(using_statement (variable_declaration type: (_) @type (variable_declarator name: (identifier) @bind . (_) @value)))
(fixed_statement (variable_declaration (variable_declarator name: (identifier) @local)))
(variable_declarator (tuple_pattern) @local)
(foreach_statement type: (_) @type left: (identifier) @bind right: (_) @item)
(foreach_statement left: [(tuple_pattern) (tuple_expression)] @local)
(catch_declaration type: (_) @type name: (identifier) @bind)
(declaration_pattern type: (_) @type name: (identifier) @bind)
(recursive_pattern type: (_) @type name: (identifier) @bind)
(var_pattern name: (_) @local)
(declaration_expression type: (_) @type name: (identifier) @bind)
(from_clause name: (identifier) @local)
(let_clause . (identifier) @local)
(join_clause . (identifier) @local)
(join_into_clause (identifier) @local)
(assignment_expression left: (_) @write)
(prefix_unary_expression ["++" "--"] (_) @write)
(postfix_unary_expression (_) @write ["++" "--"])
(initializer_expression (assignment_expression left: (identifier) @key))
(with_initializer . (identifier) @key)
(argument name: (identifier) @key)
(attribute_argument name: (identifier) @key)
(labeled_statement . (identifier) @key)
(goto_statement (identifier) @key)
(anonymous_object_creation_expression (identifier) @key "=")
(tuple_element name: (identifier) @key)
(destructor_declaration name: (identifier) @key)
(block) @braces
(for_statement) @braces
(foreach_statement) @braces
(using_statement) @braces
(switch_section) @braces
(switch_expression_arm) @braces
(catch_clause) @braces
(lambda_expression) @scope
(anonymous_method_expression) @scope
(query_expression) @scope
(indexer_declaration) @scope
(operator_declaration) @scope
(conversion_operator_declaration) @scope

; ---- type arguments of calls
(invocation_expression function: [
  (generic_name (type_argument_list) @generic)
  (member_access_expression name: (generic_name (type_argument_list) @generic))
  (conditional_access_expression (member_binding_expression name: (generic_name (type_argument_list) @generic)))
])
(object_creation_expression type: (generic_name (type_argument_list) @generic))
