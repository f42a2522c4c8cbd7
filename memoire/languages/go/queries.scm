; One combined query: a traversal costs a third of the parse, whatever it finds, so there is exactly one.
; What each capture means is written in extract/rows.py.

; ---- definitions
(function_declaration name: (identifier) @name
  result: [
    (parameter_list . (parameter_declaration type: (_) @returns))
    [(type_identifier) (pointer_type) (qualified_type) (generic_type) (slice_type) (array_type) (map_type) (channel_type)
      (function_type) (interface_type) (struct_type)] @returns]?
  body: (block)? @body) @def.function
(method_declaration
  receiver: (parameter_list (parameter_declaration type: [
    (type_identifier) @owner
    (pointer_type (type_identifier) @owner)
    (generic_type type: (type_identifier) @owner)
    (pointer_type (generic_type type: (type_identifier) @owner))
    (parenthesized_type (pointer_type (type_identifier) @owner))]))
  name: (field_identifier) @name
  result: [
    (parameter_list . (parameter_declaration type: (_) @returns))
    [(type_identifier) (pointer_type) (qualified_type) (generic_type) (slice_type) (array_type) (map_type) (channel_type)
      (function_type) (interface_type) (struct_type)] @returns]?
  body: (block)? @body) @def.method
(type_spec name: (type_identifier) @name type: (struct_type) @body) @def.struct
(type_spec name: (type_identifier) @name type: (interface_type) @body) @def.interface
(type_spec name: (type_identifier) @name type: [
  (type_identifier) (qualified_type) (generic_type) (pointer_type) (slice_type) (array_type) (map_type) (channel_type)
  (function_type) (parenthesized_type)] @body) @def.class
(type_alias name: (type_identifier) @name type: (_) @returns) @def.type
(method_elem name: (field_identifier) @name
  result: [
    (parameter_list . (parameter_declaration type: (_) @returns))
    [(type_identifier) (pointer_type) (qualified_type) (generic_type) (slice_type) (array_type) (map_type) (channel_type)
      (function_type) (interface_type) (struct_type)] @returns]?) @def.method
; what a type embeds gives it its members
(field_declaration !name type: [(type_identifier) (qualified_type) (generic_type)] @base)
(interface_type (type_elem . [(type_identifier) (qualified_type) (generic_type)] @base .))

; ---- what is no code
(comment) @comment
[(interpreted_string_literal) (raw_string_literal) (rune_literal)] @skip
(package_clause (package_identifier) @package)
(package_clause) @hide

; ---- imports
(import_spec name: (_)? @imp.alias path: (_) @imp.from) @imp

; ---- scopes without a name
(func_literal) @scope
(function_type) @scope
(block) @braces
(if_statement initializer: (_)) @braces
(for_statement) @braces
(expression_switch_statement initializer: (_)) @braces
(type_switch_statement) @braces
(expression_case) @braces
(type_case) @braces
(default_case) @braces
(communication_case) @braces

; ---- names that a scope binds itself
(parameter_declaration name: (identifier) @param type: (_) @type)
(variadic_parameter_declaration name: (identifier) @local)
(type_parameter_declaration name: (identifier) @typevar)
(method_declaration receiver: (parameter_list (parameter_declaration type: [
  (generic_type type_arguments: (type_arguments (type_elem (type_identifier) @typevar)))
  (pointer_type (generic_type type_arguments: (type_arguments (type_elem (type_identifier) @typevar))))])))
(type_switch_statement alias: (expression_list (identifier) @local))
(range_clause left: (expression_list . (identifier) @local))
(range_clause left: (expression_list (identifier) . (identifier) @bind) right: (_) @item)
(receive_statement left: (expression_list (identifier) @local))

(short_var_declaration left: (expression_list . (identifier) @bind) right: (expression_list . [
  (composite_literal type: (_) @type)
  (unary_expression operand: (composite_literal type: (_) @type))
  (type_assertion_expression type: (_) @type)
  (call_expression function: (identifier) arguments: (argument_list . [
    (type_identifier) (qualified_type) (generic_type) (pointer_type) (slice_type) (map_type) (channel_type)] @type))
  (call_expression function: (identifier) @_called) @value
  (call_expression function: [(selector_expression) (parenthesized_expression) (func_literal) (index_expression)
    (call_expression) (type_assertion_expression) (type_instantiation_expression)]) @value
  (type_conversion_expression) @value
  (unary_expression operand: [(identifier) (selector_expression) (call_expression) (index_expression) (parenthesized_expression)
    (int_literal) (float_literal) (imaginary_literal) (rune_literal) (true) (false) (unary_expression) (func_literal)
    (type_assertion_expression) (slice_expression) (interpreted_string_literal) (raw_string_literal)]) @value
  (index_expression operand: (_) @item)
  (slice_expression operand: (_) @value)
  [(selector_expression) (identifier) (binary_expression) (func_literal)
    (parenthesized_expression) (int_literal) (float_literal) (interpreted_string_literal) (raw_string_literal)
    (rune_literal) (true) (false) (nil) (iota) (imaginary_literal)
    (type_instantiation_expression)] @value])
  ; the first argument of these is a type
  (#not-any-of? @_called "new" "make"))
(short_var_declaration left: (expression_list (identifier) (identifier) @local))
; (`_` is no name)
(var_spec name: (identifier) @bind type: (_) @type (#not-eq? @bind "_"))
(var_spec . name: (identifier) @bind !type value: (expression_list . [
  (composite_literal type: (_) @type)
  (unary_expression operand: (composite_literal type: (_) @type))
  (type_assertion_expression type: (_) @type)
  (call_expression function: (identifier) arguments: (argument_list . [
    (type_identifier) (qualified_type) (generic_type) (pointer_type) (slice_type) (map_type) (channel_type)] @type))
  (call_expression function: (identifier) @_called) @value
  (call_expression function: [(selector_expression) (parenthesized_expression) (func_literal) (index_expression)
    (call_expression) (type_assertion_expression) (type_instantiation_expression)]) @value
  (type_conversion_expression) @value
  (unary_expression operand: [(identifier) (selector_expression) (call_expression) (index_expression) (parenthesized_expression)
    (int_literal) (float_literal) (imaginary_literal) (rune_literal) (true) (false) (unary_expression) (func_literal)
    (type_assertion_expression) (slice_expression) (interpreted_string_literal) (raw_string_literal)]) @value
  (index_expression operand: (_) @item)
  (slice_expression operand: (_) @value)
  [(selector_expression) (identifier) (binary_expression) (func_literal)
    (parenthesized_expression) (int_literal) (float_literal) (interpreted_string_literal) (raw_string_literal)
    (rune_literal) (true) (false) (nil) (iota) (imaginary_literal)
    (type_instantiation_expression)] @value])
  ; the first argument of these is a type
  (#not-any-of? @_called "new" "make")
  (#not-eq? @bind "_"))
(var_spec name: (identifier) name: (identifier) @bind !type (#not-eq? @bind "_"))
(const_spec name: (identifier) @bind type: (_)? @type (#not-eq? @bind "_"))
(type_spec type: (struct_type (field_declaration_list (field_declaration name: (field_identifier) @field type: (_) @type))))
(type_spec type: (struct_type (field_declaration_list (field_declaration !name type: [
  (type_identifier) @field @type
  (qualified_type name: (type_identifier) @field) @type
  (generic_type type: (type_identifier) @field) @type]))))

; ---- assignments
(assignment_statement left: (expression_list [(identifier) (selector_expression) (index_expression)] @write))
(inc_statement [(identifier) (selector_expression) (index_expression)] @write)
(dec_statement [(identifier) (selector_expression) (index_expression)] @write)

; ---- names that are no uses
(label_name) @key
(field_declaration name: (field_identifier) @key)
(composite_literal type: [(type_identifier) (qualified_type) (generic_type) (struct_type)]
  body: (literal_value (keyed_element . (literal_element (identifier) @key))))
(literal_element (literal_value (keyed_element . (literal_element (identifier) @key))))

; ---- calls that the text alone does not show
(call_expression type_arguments: (type_arguments) @generic)
(call_expression function: (index_expression operand: [(identifier) (selector_expression)] "[" @generic "]" @generic))
(type_conversion_expression type: (generic_type type_arguments: (type_arguments) @generic))
