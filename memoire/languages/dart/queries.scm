; One combined query. What each capture means is written in extract/rows.py.

; ---- definitions
(class_definition name: (identifier) @name body: (class_body) @body) @def.class
(class_definition (mixin_application_class . (identifier) @name)) @def.class
(mixin_declaration (identifier) @name (class_body) @body) @def.trait
(extension_declaration class: (type_identifier) @name body: (extension_body) @body) @def.extension
(extension_type_declaration name: (identifier) @name body: (class_body) @body) @def.struct
(enum_declaration name: (identifier) @name body: (enum_body) @body) @def.enum
(enum_constant name: (identifier) @name @def.variable)
((function_signature name: (identifier) @name) @def.function @typed . (function_body) @body)
((getter_signature name: (identifier) @name) @def.function @typed . (function_body) @body)
((setter_signature name: (identifier) @name) @def.function . (function_body) @body)
((method_signature (function_signature name: (identifier) @name)) @def.function @typed . (function_body) @body)
((method_signature (getter_signature name: (identifier) @name)) @def.function @typed . (function_body) @body)
((method_signature (setter_signature name: (identifier) @name)) @def.function . (function_body) @body)
((method_signature (operator_signature [(binary_operator) "==" "[]" "[]=" "~"] @name)) @def.function . (function_body) @body)
(declaration (function_signature name: (identifier) @name)) @def.function @typed
(declaration (getter_signature name: (identifier) @name)) @def.function @typed
(declaration (setter_signature name: (identifier) @name)) @def.function
(method_signature (getter_signature name: (identifier) @field)) @typed
(declaration (getter_signature name: (identifier) @field)) @typed
((annotation) @decorated . [(method_signature) (declaration) (function_signature)] @inner)
((annotation) @decorated . (annotation) . [(method_signature) (declaration) (function_signature)] @inner)
; constructors with a name of their own give their class; those without are part of it
((method_signature (constructor_signature . (identifier) @returns . "." . (identifier) @name)) @def.function
  . (function_body) @body)
((method_signature (factory_constructor_signature (identifier) @returns . "." . (identifier) @name)) @def.function
  . (function_body) @body)
(declaration (constructor_signature . (identifier) @returns . "." . (identifier) @name)) @def.function
(declaration (constant_constructor_signature (identifier) @returns . "." . (identifier) @name)) @def.function
(declaration (redirecting_factory_constructor_signature (identifier) @returns . "." . (identifier) @name)) @def.function
(constructor_signature . (identifier) @key)
(constant_constructor_signature (const_builtin) . (identifier) @key)
(factory_constructor_signature "factory" . (identifier) @key)
(redirecting_factory_constructor_signature "factory" . (identifier) @key)
(declaration [(constructor_signature) (constant_constructor_signature)]) @scope
(type_alias . (type_identifier) @name . "=") @def.type
(type_alias (type_identifier) @name . (formal_parameter_list)) @def.type
(extension_declaration class: (type_identifier) @named)
(extension_declaration name: (identifier) @key)
(extension_type_declaration "type" @skip)
(superclass "extends" . (type_identifier) @base)
(mixins (type_identifier) @base)
(interfaces (type_identifier) @base)
(mixin_application . (type_identifier) @base)
(mixin_declaration "on" . (type_identifier) @base)

; ---- what is no code
[(comment) (documentation_comment)] @comment
(string_literal) @skip
(template_substitution "{") @code
(template_substitution (identifier_dollar_escaped) @code)
[(library_name) (part_of_directive)] @hide

; ---- imports
(import_or_export) @imp.clause @imp
(part_directive) @imp.clause @imp
(part_of_directive) @imp.clause @imp
(part_of_directive [(uri) (dotted_identifier_list)] @package)

; ---- attributes of classes
(declaration (initialized_identifier_list (initialized_identifier . (identifier) @field))) @typed
(declaration (static_final_declaration_list (static_final_declaration . (identifier) @field))) @typed
(declaration (identifier_list (identifier) @field)) @typed
(representation_declaration name: (identifier) @field) @typed

; ---- names that a scope binds itself
(formal_parameter name: (identifier) @param) @typed
(formal_parameter . (identifier) @param .)
(formal_parameter (identifier) @param . (formal_parameter_list))
(program (initialized_identifier_list (initialized_identifier . (identifier) @bind)) @typed)
(program (static_final_declaration_list (static_final_declaration . (identifier) @bind)) @typed)
(initialized_variable_definition name: (identifier) @bind) @typed
(initialized_variable_definition (initialized_identifier . (identifier) @bind)) @typed
(for_loop_parts name: (identifier) @bind "in" . (_) @item @rest)
(catch_parameters (identifier) @local)
(variable_pattern (identifier) @local)
(pattern_variable_declaration . (_) . [(record_pattern) (list_pattern) (object_pattern) (map_pattern)] @local)
(type_parameter . (type_identifier) @typevar)
(assignment_expression left: (assignable_expression . (identifier) @assign .) "=" . (_) @rest)
(assignment_expression left: (assignable_expression [(unconditional_assignable_selector)
  (conditional_assignable_selector)]) @assign "=" . (_) @rest)
(assignment_expression left: (assignable_expression) @write operator: ["??=" "+=" "-=" "*=" "/="])
(postfix_expression (assignable_expression) @write)
(unary_expression (assignable_expression) @write)
(field_initializer . (identifier) @key)
(type_identifier) @annotation

; ---- scopes without a name
(function_expression) @scope
[(for_statement) (if_statement) (switch_statement_case) (switch_expression_case) (try_statement) (while_statement)
  (for_element) (if_element)] @braces
(block (block) @braces)

; ---- names that are no uses
(label (identifier) @key)
(typed_identifier (identifier) @key)
(labeled_statement . (identifier) @key)
[(constructor_param) (super_formal_parameter)] @key
(break_statement (identifier) @key)
(continue_statement (identifier) @key)

; ---- calls that the text alone does not show
(argument_part (type_arguments) @generic . (arguments))
(new_expression (type_arguments) @generic . (arguments))
(const_object_expression (type_arguments) @generic . (arguments))
(relational_expression (relational_expression (relational_operator) @generic) (relational_operator) @generic
  . [(parenthesized_expression) (record_literal)])
