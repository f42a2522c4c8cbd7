; One combined query. What each capture means is written in extract/rows.py.

; ---- definitions
(function_definition type: (_) @returns declarator: (_) @name body: (_) @body) @def.function
(declaration type: (_) @returns declarator: [
  (function_declarator declarator: (identifier) @name)
  (function_declarator declarator: (parenthesized_declarator (identifier) @name))
  (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))
  (pointer_declarator declarator: (function_declarator declarator: (parenthesized_declarator (identifier) @name)))
  (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)))
]) @def.declaration
(function_definition type: (type_identifier) @_macro declarator: (function_declarator parameters: (parameter_list
  . (parameter_declaration type: (type_identifier) @name) .)) body: (_) @body (#eq? @_macro "_")) @def.test
(function_definition type: (type_identifier) @_macro declarator: (function_declarator parameters: (parameter_list
  . (parameter_declaration type: (type_identifier) @owner) . (parameter_declaration type: (type_identifier) @name) .))
  body: (_) @body (#eq? @_macro "_")) @def.test
(struct_specifier name: (type_identifier) @name body: (_) @body) @def.struct
(union_specifier name: (type_identifier) @name body: (_) @body) @def.struct
(enum_specifier name: (type_identifier) @name body: (_) @body) @def.enum
(type_definition type: [(struct_specifier !name body: (_) @body) (union_specifier !name body: (_) @body)]
  . declarator: (type_identifier) @name) @def.struct
(type_definition type: (enum_specifier !name body: (_) @body) . declarator: (type_identifier) @name) @def.enum
((type_definition
  type: [(struct_specifier name: (_) @returns !body) (union_specifier name: (_) @returns !body)
    (enum_specifier name: (_) @returns !body)]
  . declarator: (type_identifier) @name @def.declaration) (#eq? @name @returns))
((type_definition
  type: [(struct_specifier name: (_) @returns) (union_specifier name: (_) @returns) (enum_specifier name: (_) @returns)]
  declarator: (_) @name @def.type) (#not-eq? @name @returns))
(type_definition type: [(type_identifier) (primitive_type) (sized_type_specifier) (macro_type_specifier)] @returns
  declarator: (_) @name @def.type)
(enumerator name: (identifier) @name) @def.outer
(preproc_def name: (identifier) @name) @def.define
(preproc_function_def name: (identifier) @name value: (_)? @body) @def.define
(preproc_params (identifier) @local)

; ---- what is no code
(comment) @comment
[(string_literal) (char_literal)] @skip
(preproc_call directive: (preproc_directive) @_directive (#match? @_directive "error|warning|pragma|line|ident")) @hide
(attribute_specifier) @hide

; ---- names that a scope binds itself
(parameter_declaration type: (_) @type declarator: (_) @param)
(parameter_list (identifier) @local)
(declaration type: (_) @type declarator: (init_declarator declarator: (_) @bind value: (_) @value))
(declaration type: (_) @type declarator: [(identifier) (pointer_declarator) (array_declarator) (function_declarator)
  (parenthesized_declarator)] @bind)
(field_declaration type: (_) @type declarator: (_) @field)
(assignment_expression left: (_) @write)
(update_expression argument: (_) @write)
(field_designator (field_identifier) @key)
(statement_identifier) @key
(compound_statement) @braces
(for_statement) @braces
