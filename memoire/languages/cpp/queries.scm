; One combined query. What each capture means is written in extract/rows.py.

; ---- definitions
(class_specifier name: [(type_identifier) (qualified_identifier)] @name (base_class_clause)? @bases body: (_) @body) @def.class
(class_specifier name: (template_type name: (type_identifier) @name) (base_class_clause)? @bases body: (_) @body) @def.class
(struct_specifier name: [(type_identifier) (qualified_identifier)] @name (base_class_clause)? @bases body: (_) @body) @def.struct
(struct_specifier name: (template_type name: (type_identifier) @name) (base_class_clause)? @bases body: (_) @body) @def.struct
(union_specifier name: (type_identifier) @name body: (_) @body) @def.struct
(enum_specifier name: (type_identifier) @name body: (_) @body) @def.enum
(enum_specifier body: (enumerator_list (enumerator name: (identifier) @name) @def.outer))
(enum_specifier ["class" "struct"] body: (enumerator_list (enumerator name: (identifier) @name) @def.variable))
((namespace_definition name: (_) @name body: (_) @body) @def.namespace (#not-eq? @name "_"))
(namespace_definition name: (namespace_identifier) @key)
(namespace_definition !name body: (_)) @private
(function_definition type: (_)? @returns declarator: [
  (function_declarator declarator: [(identifier) (field_identifier) (operator_name) (destructor_name)] @name)
  (pointer_declarator declarator: (function_declarator declarator: [(identifier) (field_identifier) (operator_name)] @name))
  (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (_) @name)))
  (reference_declarator (function_declarator declarator: [(identifier) (field_identifier) (operator_name)] @name))
] body: (_)? @body) @def.function
(function_definition type: (_)? @returns declarator: [
  (function_declarator declarator: (qualified_identifier) @name)
  (pointer_declarator declarator: (function_declarator declarator: (qualified_identifier) @name))
  (reference_declarator (function_declarator declarator: (qualified_identifier) @name))
  (qualified_identifier) @name
] body: (_)? @body) @def.method
(declaration type: (_)? @returns declarator: [
  (function_declarator declarator: [(identifier) (operator_name) (destructor_name)] @name)
  (function_declarator declarator: (parenthesized_declarator (identifier) @name))
  (pointer_declarator declarator: (function_declarator declarator: [(identifier) (operator_name)] @name))
  (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)))
  (reference_declarator (function_declarator declarator: [(identifier) (operator_name)] @name))
]) @def.declaration
(field_declaration type: (_) @returns declarator: [
  (function_declarator declarator: [(field_identifier) (operator_name) (destructor_name)] @name)
  (pointer_declarator declarator: (function_declarator declarator: [(field_identifier) (operator_name)] @name))
  (reference_declarator (function_declarator declarator: [(field_identifier) (operator_name)] @name))
]) @def.declaration
(field_declaration type: (_) @returns declarator: [
  (field_identifier) (pointer_declarator declarator: (field_identifier)) (reference_declarator (field_identifier))
  (pointer_declarator declarator: (pointer_declarator declarator: (field_identifier)))
  (array_declarator declarator: [(field_identifier) (array_declarator) (pointer_declarator)])
  (function_declarator declarator: (parenthesized_declarator))
] @name @def.variable)
(declaration_list (declaration type: (_) @returns declarator: [
  (identifier) (init_declarator) (pointer_declarator declarator: (identifier)) (array_declarator declarator: (identifier))
] @name @def.variable))
(function_definition type: (type_identifier) @_macro declarator: (function_declarator parameters: (parameter_list
  . (parameter_declaration type: (type_identifier) @name) .)) body: (_) @body (#eq? @_macro "_")) @def.test
(function_definition type: (type_identifier) @_macro declarator: (function_declarator parameters: (parameter_list
  . (parameter_declaration type: (type_identifier) @owner) . (parameter_declaration type: (type_identifier) @name) .))
  body: (_) @body (#eq? @_macro "_")) @def.test
(template_declaration [(function_definition) (class_specifier) (struct_specifier) (declaration) (alias_declaration)
  (field_declaration) (concept_definition)] @inner) @decorated
(alias_declaration name: (type_identifier) @name type: (_) @returns) @def.type
(concept_definition name: (identifier) @name) @def.type
(type_definition type: [(struct_specifier !name body: (_) @body) (union_specifier !name body: (_) @body)]
  . declarator: (type_identifier) @name) @def.struct
(type_definition type: (enum_specifier !name body: (_) @body) . declarator: (type_identifier) @name) @def.enum
((type_definition
  type: [(struct_specifier name: (type_identifier) @returns !body) (class_specifier name: (type_identifier) @returns !body)]
  . declarator: (type_identifier) @name @def.declaration) (#eq? @name @returns))
((type_definition type: [(struct_specifier name: (_) @returns) (union_specifier name: (_) @returns)
    (enum_specifier name: (_) @returns) (class_specifier name: (_) @returns)]
  declarator: (_) @name @def.type) (#not-eq? @name @returns))
(type_definition type: [(type_identifier) (primitive_type) (sized_type_specifier) (qualified_identifier) (template_type)] @returns
  declarator: (_) @name @def.type)
(preproc_def name: (identifier) @name) @def.define
(preproc_function_def name: (identifier) @name value: (_)? @body) @def.define
(preproc_params (identifier) @local)

; ---- what is no code
(comment) @comment
[(string_literal) (raw_string_literal) (char_literal)] @skip
(preproc_call directive: (preproc_directive) @_directive (#match? @_directive "error|warning|pragma|line|ident")) @hide
[(attribute_specifier) (attribute_declaration)] @hide

; ---- names of namespaces
(using_declaration) @imp @imp.clause
(namespace_alias_definition name: (namespace_identifier) @imp.alias [(namespace_identifier) (nested_namespace_specifier)] @imp.module .) @imp

; ---- names that a scope binds itself
(parameter_declaration type: (_) @type declarator: (_) @param)
(optional_parameter_declaration type: (_) @type declarator: (_) @param)
(variadic_parameter_declaration declarator: (_) @local)
(type_parameter_declaration (type_identifier) @typevar)
(optional_type_parameter_declaration name: (type_identifier) @typevar)
(variadic_type_parameter_declaration (type_identifier) @typevar)
(template_template_parameter_declaration (_ (type_identifier) @typevar))
(declaration type: (_) @type declarator: (init_declarator declarator: (_) @bind value: (_) @value))
(declaration type: (_) @type declarator: [(identifier) (pointer_declarator) (reference_declarator) (array_declarator)
  (function_declarator) (parenthesized_declarator) (structured_binding_declarator)] @bind)
(declaration type: [(type_identifier) (qualified_identifier) (template_type)] @called
  declarator: (init_declarator value: [(argument_list) (initializer_list)]))
(compound_statement (declaration type: [(type_identifier) (qualified_identifier) (template_type)] @called
  declarator: (function_declarator declarator: (identifier))))
(for_range_loop type: (_) @type declarator: (_) @bind right: (_) @item)
(lambda_capture_initializer left: (identifier) @local)
(assignment_expression left: (_) @write)
(update_expression argument: (_) @write)
(field_designator (field_identifier) @key)
(statement_identifier) @key
(access_specifier) @key
(destructor_name (identifier) @key)
(field_initializer (field_identifier) @write)
(compound_statement) @braces
(for_statement) @braces
(for_range_loop) @braces
(if_statement) @braces
(catch_clause) @braces
(lambda_expression) @scope

; ---- type arguments of calls
(call_expression function: [
  (template_function arguments: (_) @generic)
  (qualified_identifier name: (template_function arguments: (_) @generic))
  (qualified_identifier name: (qualified_identifier name: (template_function arguments: (_) @generic)))
  (field_expression field: (template_method arguments: (_) @generic))
])
