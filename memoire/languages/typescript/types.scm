; What only the grammars of TypeScript and TSX have.
(function_declaration name: (identifier) @name return_type: (type_annotation)? @returns body: (statement_block) @body) @def.function
(generator_function_declaration name: (identifier) @name return_type: (type_annotation)? @returns body: (statement_block) @body) @def.function
(method_definition name: [(property_identifier) (private_property_identifier)] @name
  return_type: (type_annotation)? @returns body: (statement_block) @body) @def.member
(variable_declarator name: (identifier) @name value: [
  (arrow_function return_type: (type_annotation)? @returns body: (_) @body)
  (function_expression return_type: (type_annotation)? @returns body: (_) @body)
  (generator_function body: (_) @body)]) @def.function
(public_field_definition name: (property_identifier) @name value: [
  (arrow_function return_type: (type_annotation)? @returns) (function_expression)]) @def.method
(function_signature name: (identifier) @name return_type: (type_annotation)? @returns) @def.signature
(method_signature name: (property_identifier) @name @key return_type: (type_annotation)? @returns) @def.signature
(abstract_method_signature name: (property_identifier) @name return_type: (type_annotation)? @returns) @def.method

(class_declaration name: (type_identifier) @name (class_heritage)? @bases body: (class_body) @body) @def.class
(abstract_class_declaration name: (type_identifier) @name (class_heritage)? @bases body: (class_body) @body) @def.class
(variable_declarator name: (identifier) @name value: (class (class_heritage)? @bases body: (class_body) @body)) @def.class
(export_statement "default" @name value: (class !name (class_heritage)? @bases body: (class_body) @body) @def.class)
(interface_declaration name: (type_identifier) @name (extends_type_clause)? @bases body: (interface_body) @body) @def.interface
(enum_declaration name: (identifier) @name body: (enum_body) @body) @def.enum
(type_alias_declaration name: (type_identifier) @name) @def.type
(internal_module name: [(identifier) (nested_identifier)] @name) @def.namespace
(module name: [(identifier) (nested_identifier)] @name) @def.namespace
(export_statement decorator: (decorator) declaration: [(class_declaration) (abstract_class_declaration)] @inner) @decorated

(import_statement "type"? @imp.type (import_clause)? @imp.clause source: (string) @imp.from) @imp
(import_statement (import_require_clause (identifier) @imp.ns source: (string) @imp.from)) @imp
(export_statement "=" @export.name (identifier) @export.local)
(export_statement declaration: [
  (class_declaration name: (type_identifier) @export.local)
  (abstract_class_declaration name: (type_identifier) @export.local)
  (interface_declaration name: (type_identifier) @export.local)
  (type_alias_declaration name: (type_identifier) @export.local)
  (enum_declaration name: (identifier) @export.local)
  (internal_module name: (identifier) @export.local)
  (function_signature name: (identifier) @export.local)
  (ambient_declaration [
    (class_declaration name: (type_identifier) @export.local)
    (abstract_class_declaration name: (type_identifier) @export.local)
    (enum_declaration name: (identifier) @export.local)
    (function_signature name: (identifier) @export.local)
    (lexical_declaration (variable_declarator name: (identifier) @export.local))
    (variable_declaration (variable_declarator name: (identifier) @export.local))])])
(export_statement "default" @export.name declaration: [
  (class_declaration name: (type_identifier) @export.local)
  (abstract_class_declaration name: (type_identifier) @export.local)
  (interface_declaration name: (type_identifier) @export.local)
  (function_signature name: (identifier) @export.local)])
(export_statement "default" @export.local value: (class !name))

(public_field_definition name: [(property_identifier) (private_property_identifier)] @field
  type: (type_annotation)? @type value: (_)? @value)
(interface_body (property_signature name: (property_identifier) @field @key type: (type_annotation)? @type))
(required_parameter (accessibility_modifier) pattern: (identifier) @field type: (type_annotation)? @type)
(required_parameter pattern: (identifier) @param type: (type_annotation)? @type)
(optional_parameter pattern: (identifier) @param type: (type_annotation)? @type)
(variable_declarator name: (identifier) @bind type: (type_annotation)? @type value: (_)? @value)
(assignment_expression "using" left: (identifier) @bind right: (_) @value)
(type_parameter name: (type_identifier) @local)
(mapped_type_clause name: (type_identifier) @local)
(infer_type (type_identifier) @local)
(enum_body name: (property_identifier) @key)
(enum_assignment name: (property_identifier) @key)

(call_expression type_arguments: (type_arguments) @generic)
(new_expression type_arguments: (type_arguments) @generic)

; types whose place no capture above has noted
(required_parameter pattern: [(object_pattern) (array_pattern) (rest_pattern)] type: (type_annotation) @annotation)
(arrow_function return_type: (type_annotation) @annotation)
(constraint) @annotation
(implements_clause) @annotation
(extends_clause type_arguments: (type_arguments) @annotation)
(as_expression [(type_identifier) (generic_type) (union_type) (intersection_type) (array_type) (nested_type_identifier)] @annotation)
(satisfies_expression [(type_identifier) (generic_type) (union_type) (array_type) (nested_type_identifier)] @annotation)
