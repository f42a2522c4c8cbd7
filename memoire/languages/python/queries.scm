; One combined query: a traversal costs a third of the parse, whatever it finds, so there is exactly one.
; What each capture means is written in extract/rows.py.

; ---- definitions
(class_definition name: (identifier) @name superclasses: (argument_list)? @bases body: (_) @body) @def.class
(function_definition name: (identifier) @name return_type: (type)? @returns body: (_) @body) @def.function
(decorated_definition definition: (_) @inner) @decorated

; ---- what is no code: masked before names are read
(comment) @comment
(string_content) @skip
(module . (comment)* . (expression_statement . (string) @doc))
(block . (comment)* . (expression_statement . (string) @doc))

; ---- structure that the text alone does not show: where an indented block ends
(block) @block

; ---- imports, one match per bound name
(import_statement name: (dotted_name) @imp.module) @imp
(import_statement name: (aliased_import name: (dotted_name) @imp.module alias: (identifier) @imp.alias)) @imp
(import_from_statement module_name: (_) @imp.from name: (dotted_name) @imp.name) @imp
(import_from_statement module_name: (_) @imp.from name: (aliased_import name: (dotted_name) @imp.name alias: (identifier) @imp.alias)) @imp
(import_from_statement module_name: (_) @imp.from (wildcard_import) @imp.star) @imp
(future_import_statement) @hide

; ---- names that a scope binds itself
(parameters [(identifier) @param (list_splat_pattern (identifier) @param) (dictionary_splat_pattern (identifier) @param)])
(lambda_parameters [(identifier) @param (list_splat_pattern (identifier) @param) (dictionary_splat_pattern (identifier) @param)])
(default_parameter name: (identifier) @param)
(typed_parameter . (identifier) @param type: (type) @type)
(typed_parameter . [(list_splat_pattern (identifier) @param) (dictionary_splat_pattern (identifier) @param)] type: (type) @annotation)
(typed_default_parameter name: (identifier) @param type: (type) @type)
(class_definition body: (block (expression_statement
  (assignment left: (identifier) @field type: (type)? @type right: (_)? @value))))
(assignment left: (_) @bind type: (type)? @type right: (_)? @value)
(named_expression name: (identifier) @bind value: (_) @value)
(as_pattern . (_) @value alias: (as_pattern_target (_) @bind))
(for_statement left: (identifier) @bind right: (_) @item)
(for_in_clause left: (identifier) @bind right: (_) @item)
(for_statement left: (pattern_list . (_) . (identifier) @bind .)
  right: (call function: (identifier) @_to arguments: (argument_list . (_) @item)) (#eq? @_to "enumerate"))
(for_statement left: [(pattern_list) (tuple_pattern) (list_pattern)] @local)
(for_in_clause left: [(pattern_list) (tuple_pattern) (list_pattern)] @local)
(decorator [(identifier) (attribute)] @called)
[(list_comprehension) (set_comprehension) (dictionary_comprehension) (generator_expression)] @scope
(case_pattern (dotted_name . (identifier) @local .))
(splat_pattern (identifier) @local)
(return_statement (_) @returned)
(yield (_) @yielded)
(augmented_assignment left: (_) @write)
(delete_statement (_) @write)
(global_statement (identifier) @global)
(nonlocal_statement (identifier) @global)

; ---- imports that do not always run
(if_statement condition: (_) @cond consequence: (block [(import_statement) (import_from_statement)]) @guarded)
(try_statement body: (block [(import_statement) (import_from_statement)]) @tried)
