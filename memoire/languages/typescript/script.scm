; What only the JavaScript grammar has.
(function_declaration name: (identifier) @name body: (statement_block) @body) @def.function
(generator_function_declaration name: (identifier) @name body: (statement_block) @body) @def.function
(method_definition
  name: [(property_identifier) (private_property_identifier)] @name body: (statement_block) @body) @def.member
(variable_declarator name: (identifier) @name value: [
  (arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)
]) @def.function
(class_declaration name: (identifier) @name (class_heritage)? @bases body: (class_body) @body) @def.class
(variable_declarator name: (identifier) @name value: (class
  name: (identifier)? @local (class_heritage)? @bases body: (class_body) @body)) @def.class
(export_statement "default" @name value: (class !name (class_heritage)? @bases body: (class_body) @body) @def.class)
(assignment_expression left: (member_expression property: (property_identifier) @name) @_to
  right: (class !name (class_heritage)? @bases body: (class_body) @body) (#eq? @_to "module.exports")) @def.class
(assignment_expression left: (member_expression) @_to right: (class name: (identifier) @name
  (class_heritage)? @bases body: (class_body) @body) @def.class (#match? @_to "^(module\\.)?exports\\b"))
(field_definition property: (property_identifier) @name
  value: [(arrow_function) (function_expression)]) @def.method
(field_definition property: [(property_identifier) (private_property_identifier)] @field value: (_)? @value)
(assignment_expression
  left: (member_expression object: [(identifier) (member_expression)] @_to property: (property_identifier) @export.name)
  "=" right: (class name: (identifier) @export.local) (#any-of? @_to "exports" "module.exports"))
(assignment_expression left: (member_expression) @_to "=" @export.name right: (class name: (identifier) @export.local)
  (#eq? @_to "module.exports"))
(formal_parameters (identifier) @param)
(variable_declarator name: (identifier) @bind value: (_)? @value)

(import_statement (import_clause)? @imp.clause source: (string) @imp.from) @imp

(export_statement declaration: (class_declaration name: (identifier) @export.local))
(export_statement "default" @export.name declaration: (class_declaration name: (identifier) @export.local))
(export_statement "default" @export.local value: (class !name))
