; One combined query. What each capture means is written in extract/rows.py.

; ---- definitions
(class_declaration declaration_kind: ["class" "actor"] name: (type_identifier) @name body: (class_body) @body) @def.class
(class_declaration declaration_kind: "struct" name: (type_identifier) @name body: (class_body) @body) @def.struct
(class_declaration declaration_kind: "enum" name: (type_identifier) @name body: (enum_class_body) @body) @def.enum
(class_declaration declaration_kind: "extension" name: (user_type) @name body: [(class_body) (enum_class_body)] @body (#not-match? @name "<")) @def.extension
(class_declaration declaration_kind: "extension" name: (user_type . (type_identifier) @name . (type_arguments) .)
  body: (class_body) @body) @def.extension
(protocol_declaration name: (type_identifier) @name body: (protocol_body) @body)
  @def.interface
(function_declaration name: (simple_identifier) @name) @def.function @parts
(function_declaration name: (custom_operator) @name (#not-match? @name "[.]")) @def.function @parts
; Each of many operators would be a state of its own for the matcher.
(function_declaration name: _ @name
  (#any-of? @name "==" "<" ">" "<=" ">=" "!=" "+" "-" "*" "/" "%" "!" "~" "&" "|" "^")) @def.function @parts
(protocol_function_declaration name: (simple_identifier) @name) @def.method @parts
(init_declaration "init" @name) @def.function @parts
(deinit_declaration "deinit" @name) @def.function @parts
(subscript_declaration "subscript" @name) @def.function @parts
(property_declaration name: (pattern bound_identifier: (simple_identifier) @name)
  . (type_annotation)? @returns . computed_value: (computed_property) @body) @def.function
(typealias_declaration name: (type_identifier) @name
  [(user_type) (optional_type) (function_type) (tuple_type) (array_type) (dictionary_type) (existential_type)
    (protocol_composition_type)] @returns) @def.type
(macro_declaration (simple_identifier) @name) @def.macro
(class_declaration declaration_kind: "extension" name: (user_type) @named)
(inheritance_specifier inherits_from: (user_type) @base)
(enum_entry name: (simple_identifier) @name @def.variable)

; ---- what is no code
[(comment) (multiline_comment)] @comment
[(line_str_text) (multi_line_str_text) (str_escaped_char) (raw_str_part) (raw_str_end_part) (regex_literal)] @skip
[(member_modifier) (visibility_modifier) (function_modifier) (mutation_modifier) (property_modifier)
  (inheritance_modifier) (parameter_modifier) (ownership_modifier) (property_behavior_modifier) (getter_specifier)
  (setter_specifier)] @skip
(directive) @hide
(shebang_line) @hide

; ---- imports
(import_declaration) @imp.clause @imp

; ---- attributes of classes
(class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @field)
  . (type_annotation)? @type . value: (_)? @value))
(class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @field)
  . (type_annotation) @type . computed_value: (computed_property)))
(enum_class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @field)
  . (type_annotation)? @type . value: (_)? @value))
(protocol_property_declaration name: (pattern bound_identifier: (simple_identifier) @field) . (type_annotation)? @type)

; what the environment of a view holds under a name
(class_body (property_declaration (modifiers (attribute (user_type (type_identifier) @_environment)
  (navigation_expression (key_path_expression) (navigation_suffix (simple_identifier) @value))))
  name: (pattern bound_identifier: (simple_identifier) @field)) (#eq? @_environment "Environment"))

; ---- names that a scope binds itself
(parameter name: (simple_identifier) @param
  [(user_type) (optional_type) (opaque_type) (existential_type) (array_type) (dictionary_type) (function_type)
    (tuple_type) (metatype)]? @type)
(lambda_parameter name: (simple_identifier) @param [(user_type) (optional_type) (existential_type)]? @type)
(source_file (property_declaration name: (pattern bound_identifier: (simple_identifier) @bind)
  . (type_annotation)? @type . value: (_)? @value (#not-match? @value "\\sas[?!]?\\s")))
(statements (property_declaration name: (pattern bound_identifier: (simple_identifier) @bind)
  . (type_annotation)? @type . value: (_)? @value (#not-match? @value "\\sas[?!]?\\s")))
(property_declaration name: (pattern bound_identifier: (simple_identifier) @bind) . "="
  . (as_expression (user_type) @type))
(property_declaration name: (pattern (pattern) @local))
(if_statement bound_identifier: (simple_identifier) @bind . "=" . (_) @value
  (#not-eq? @bind "self") (#not-eq? @bind @value) (#not-match? @value "\\sas[?!]?\\s"))
(if_statement bound_identifier: (simple_identifier) @bind . "=" . (as_expression (user_type) @type))
(guard_statement bound_identifier: (simple_identifier) @bind . "=" . (_) @value
  (#not-eq? @bind "self") (#not-eq? @bind @value) (#not-match? @value "\\sas[?!]?\\s"))
(guard_statement bound_identifier: (simple_identifier) @bind . "=" . (as_expression (user_type) @type))
(while_statement bound_identifier: (simple_identifier) @bind . "=" . (_) @value
  (#not-eq? @bind "self") (#not-eq? @bind @value) (#not-match? @value "\\sas[?!]?\\s"))
(while_statement bound_identifier: (simple_identifier) @bind . "=" . (as_expression (user_type) @type))
(if_statement (pattern) @local)
(guard_statement (pattern) @local)
(while_statement (pattern) @local)
(for_statement item: (pattern bound_identifier: (simple_identifier) @bind) collection: (_) @item)
(for_statement) @braces
(pattern (pattern [(simple_identifier) @local bound_identifier: (simple_identifier) @local]))
(switch_pattern (pattern bound_identifier: (simple_identifier) @local))
(catch_block error: (pattern (pattern bound_identifier: (simple_identifier) @local)))
(catch_block error: (pattern bound_identifier: (simple_identifier) @local))
(computed_setter (simple_identifier) @local)
(capture_list_item name: (simple_identifier) @local value: (_))
(type_parameter . (type_identifier) @typevar)
(associatedtype_declaration name: (type_identifier) @typevar)
(assignment target: (directly_assignable_expression [(simple_identifier) (navigation_expression) (call_expression)]
  @assign) operator: "=" result: (_) @value)
(assignment target: (directly_assignable_expression [(simple_identifier) (navigation_expression) (call_expression)]
  @write) operator: ["+=" "-=" "*=" "/=" "%="])

[(inheritance_constraint) (equality_constraint)] @annotation
(type_parameter (user_type) @annotation)
(enum_type_parameters (user_type) @annotation)

; ---- scopes without a name
(lambda_literal) @scope
[(if_statement) (while_statement) (repeat_while_statement) (do_statement) (catch_block) (switch_entry)] @braces

; ---- names that are no uses
(value_argument_label (simple_identifier) @key)
(parameter external_name: (simple_identifier) @key)
(attribute (simple_identifier) @key . ":")
(call_suffix name: (simple_identifier) @key)
(tuple_expression name: (simple_identifier) @key)
(tuple_type_item name: (simple_identifier) @key)
(enum_type_parameters (simple_identifier) @key)
(precedence_group_declaration) @hide

; ---- calls that the text alone does not show
(call_suffix (value_arguments)? @arguments (lambda_literal)) @trailing
(constructor_suffix (value_arguments)? @arguments (lambda_literal)) @trailing
(constructor_expression constructed_type: (user_type (type_arguments) @generic .))
(call_expression (simple_identifier) @_callee
  (call_suffix (value_arguments . (value_argument name: (value_argument_label) @labelled)))
  (#any-of? @_callee "Data" "String" "Date" "UUID" "NSData" "NSString" "NSArray" "NSDictionary" "XMLParser" "UIImage"
    "NSImage" "DispatchSource"))
