; One combined query: a traversal costs a third of the parse, whatever it finds, so there is exactly one.
; What each capture means is written in extract/rows.py.

; ---- definitions
(function_item name: (identifier) @name return_type: (_)? @returns body: (block) @body) @def.function
(function_signature_item name: (identifier) @name return_type: (_)? @returns) @def.function
(struct_item name: (type_identifier) @name body: (_)? @body) @def.struct
(union_item name: (type_identifier) @name body: (_) @body) @def.struct
(enum_item name: (type_identifier) @name body: (_) @body) @def.enum
(trait_item name: (type_identifier) @name bounds: (trait_bounds)? @bases body: (_) @body) @def.trait
(impl_item trait: (_)? @bases type: [
  (type_identifier) @name
  (generic_type type: [(type_identifier) (scoped_type_identifier)] @name)
  (scoped_type_identifier) @name
  (reference_type) @name (tuple_type) @name (array_type) @name (pointer_type) @name (function_type) @name
  (primitive_type) @name (dynamic_type) @name (abstract_type) @name (unit_type) @name (never_type) @name
  (macro_invocation) @name]
  body: (_) @body) @def.extension
(mod_item name: (identifier) @name body: (declaration_list) @body) @def.namespace
(type_item name: (type_identifier) @name type: (_) @returns) @def.type
(macro_definition name: (identifier) @name) @def.macro
(enum_variant name: (identifier) @name) @def.variable
(declaration_list (const_item name: (identifier) @name type: (_) @returns) @def.variable)
(attribute_item) @attribute

; ---- what is no code
[(line_comment) (block_comment)] @comment
[(string_content) (char_literal)] @skip
(macro_rule) @skip
(attribute_item (attribute [(identifier) (scoped_identifier)] @_what) (#not-eq? @_what "derive")) @hide
(inner_attribute_item) @hide
(visibility_modifier) @hide
(await_expression "." @hide)
(await_expression "await" @hide)

; ---- imports: `language.py` reads the tree of names
(use_declaration (visibility_modifier)? @imp.seen argument: (_) @imp.clause) @imp
(extern_crate_declaration name: (_) @imp.from alias: (_)? @imp.alias) @imp
(mod_item name: (identifier) @imp.module !body) @imp
((attribute_item (attribute (identifier) @_path value: (string_literal) @imp.path)) @imp . (mod_item name: (identifier) @imp.module !body)
  (#eq? @_path "path"))
((attribute_item (attribute (identifier) @_path value: (string_literal) @imp.path)) @imp . (attribute_item) . (mod_item name: (identifier) @imp.module !body)
  (#eq? @_path "path"))
(scoped_identifier path: (identifier) @head (#match? @head "^[a-z]"))
(scoped_type_identifier path: (identifier) @head (#match? @head "^[a-z]"))
; a macro of the crate is called without an import
(macro_invocation macro: (identifier) @head)

; ---- scopes without a name
(closure_expression) @scope
(block) @braces
(match_arm) @braces
(for_expression) @braces
(if_expression condition: [(let_condition) (let_chain)]) @braces
(while_expression condition: [(let_condition) (let_chain)]) @braces
(function_type) @scope

; ---- names that a scope binds itself
(parameter pattern: (identifier) @param type: (_) @type)
(closure_parameters (identifier) @local)
(type_parameter name: (type_identifier) @typevar)
(const_parameter name: (identifier) @local)
(let_declaration pattern: (identifier) @bind type: (_)? @type value: [
  (struct_expression name: (_) @type)
  (reference_expression value: (struct_expression name: (_) @type))
  (reference_expression value: (index_expression . (_) @item))
  (index_expression . (_) @item)
  (type_cast_expression type: (_) @type)
  (reference_expression value: [(identifier) (call_expression) (field_expression) (self) (scoped_identifier)
    (try_expression) (await_expression)] @value)
  [(call_expression) (identifier) (field_expression) (scoped_identifier) (self) (try_expression) (await_expression)
    (macro_invocation) (closure_expression) (match_expression) (if_expression) (block) (binary_expression)
    (unary_expression) (string_literal) (integer_literal) (float_literal) (boolean_literal) (char_literal)
    (array_expression) (tuple_expression) (range_expression) (unit_expression) (async_block) (unsafe_block)
    (loop_expression) (parenthesized_expression) (return_expression) (raw_string_literal)] @value]?)
(for_expression pattern: (identifier) @bind value: [(reference_expression value: (_) @item) (call_expression) @item
  (identifier) @item (field_expression) @item (self) @item (range_expression) @item])
(const_item name: (identifier) @bind type: (_) @type value: (_)? @value)
(static_item name: (identifier) @bind type: (_) @type value: (_)? @value)
(struct_item body: (field_declaration_list (field_declaration name: (field_identifier) @field type: (_) @type)))
([
  (tuple_pattern (identifier) @local)
  (slice_pattern (identifier) @local)
  (ref_pattern (identifier) @local)
  (mut_pattern (identifier) @local)
  (reference_pattern (identifier) @local)
  (or_pattern (identifier) @local)
  (captured_pattern . (identifier) @local)
  (field_pattern pattern: (identifier) @local)
  (tuple_struct_pattern type: (_) (identifier) @local)
  (match_pattern . (identifier) @local)
  (let_condition pattern: (identifier) @local)
] (#match? @local "^[a-z_]"))
(shorthand_field_identifier) @local

; ---- assignments
(assignment_expression left: [(identifier) (field_expression) (index_expression) (scoped_identifier)] @write)
(compound_assignment_expr left: [(identifier) (field_expression) (index_expression) (scoped_identifier)] @write)

; ---- names that are no uses
(lifetime (identifier) @key)
(label (identifier) @key)
(field_initializer field: (field_identifier) @key)
(field_pattern name: (field_identifier) @key)
(field_declaration name: (field_identifier) @key)

; ---- calls that the text alone does not show
(generic_function "::" @generic type_arguments: (type_arguments) @generic)
