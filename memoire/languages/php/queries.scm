; One combined query. What each capture means is written in extract/rows.py.

; ---- definitions
(class_declaration name: (name) @name (base_clause)? @bases (class_interface_clause)? @bases body: (_) @body) @def.class
(interface_declaration name: (name) @name (base_clause)? @bases body: (_) @body) @def.interface
(trait_declaration name: (name) @name body: (_) @body) @def.trait
(enum_declaration name: (name) @name (class_interface_clause)? @bases body: (_) @body) @def.enum
(anonymous_class "class" @name (base_clause)? @bases (class_interface_clause)? @bases body: (_) @body) @def.class
(function_definition name: (name) @name return_type: (_)? @returns body: (_) @body) @def.function
(method_declaration name: (name) @name return_type: (_)? @returns body: (_)? @body) @def.function
(namespace_definition name: (namespace_name) @name body: (_) @body) @def.namespace
; a test by its documentation begins there
((comment) @decorated . (method_declaration) @inner (#match? @decorated "@test\\b"))
; constants, and the cases of an enum, which are its instances
(const_declaration (const_element . (name) @name) @def.variable)
(enum_declaration name: (name) @returns body: (_ (enum_case name: (name) @name) @def.variable))
(function_call_expression function: (name) @_define arguments: (arguments . (argument (string (string_content) @name)))
  (#eq? @_define "define")) @def.variable
; traits
(use_declaration [(name) (qualified_name)] @base.first)
(use_list) @hide

; ---- what is no code
(comment) @comment
(text) @skip
(php_tag) @skip
[(string) (nowdoc) (heredoc_start) (heredoc_end)] @skip
(string_content) @skip
(escape_sequence) @skip
(declare_statement) @hide

(namespace_definition name: (namespace_name) @package !body)
(namespace_definition "namespace" @key)
(namespace_definition name: (namespace_name) @hide)

; ---- imports, one match per statement: `language.py` reads its names
(namespace_use_declaration) @imp.clause @imp
([(require_expression) (require_once_expression) (include_expression) (include_once_expression)] @imp.from) @dyn

; ---- names that a scope binds itself
(anonymous_function) @scope
(arrow_function) @scope
(simple_parameter type: (_)? @type name: (variable_name) @param)
(variadic_parameter name: (variable_name) @param)
(property_promotion_parameter type: (_)? @type name: (variable_name) @param)
(property_promotion_parameter type: (_)? @type name: (variable_name (name) @field))
(catch_clause type: (type_list . (named_type) @type) name: (variable_name) @param)
(assignment_expression left: (_) @bind right: (_) @value)
(reference_assignment_expression left: (_) @bind right: (_) @value)
(static_variable_declaration name: (variable_name) @bind value: (_)? @value)
(foreach_statement . (_) . (variable_name) @local)
(foreach_statement (pair [(variable_name) (by_ref (variable_name)) (list_literal)] @local))
(foreach_statement (by_ref (variable_name) @local))
(foreach_statement (list_literal) @local)
(return_statement (_) @returned)
(global_declaration (variable_name) @global)

; ---- state
(property_declaration type: (_)? @type (property_element name: (variable_name (name) @field) default_value: (_)? @value))
((comment) @type . (property_declaration !type (property_element name: (variable_name (name) @field)))
  (#match? @type "@var\\s"))
(augmented_assignment_expression left: (_) @write)
(update_expression argument: (_) @write)
(unset_statement [(member_access_expression) (scoped_property_access_expression) (subscript_expression)] @write)

; ---- types
(named_type) @annotation

; ---- names that are no uses
(argument name: (name) @key)
(static_modifier) @key
(class_declaration "class" @key)
(function_static_declaration "static" @key)
(goto_statement (name) @key)
(named_label_statement (name) @key)
; `Foo::class` is Foo, `Foo::$x` its x, `$a->$b` anything
(class_constant_access_expression (_) (name) @skip (#eq? @skip "class"))
(scoped_property_access_expression name: (variable_name "$" @skip))
(member_access_expression name: (variable_name) @skip)
(member_call_expression name: (variable_name) @skip)

; ---- calls that the text alone does not show: `new Foo;`
(object_creation_expression [(name) (qualified_name)] @called)
