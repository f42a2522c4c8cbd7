; One combined query. What each capture means is written in extract/rows.py.

; ---- definitions
(class name: [(constant) (scope_resolution)] @name superclass: (superclass)? @bases body: (_)? @body) @def.class
(module name: [(constant) (scope_resolution)] @name body: (_)? @body) @def.module
(method name: [(identifier) (constant) (operator)] @name body: (_)? @body) @def.function
(method name: (setter (identifier) @name) body: (_)? @body) @def.function
(singleton_method object: (self) name: [(identifier) (constant) (operator)] @name body: (_)? @body) @def.function
(singleton_method object: (constant) @owner name: (identifier) @name body: (_)? @body) @def.method
(alias name: (identifier) @name) @def.function
(assignment left: (constant) @name right: (call receiver: (constant) @_of method: (identifier) @_new
    arguments: (argument_list . [(constant) (scope_resolution)]? @bases)?)
  (#any-of? @_of "Struct" "Data" "Class" "Module") (#any-of? @_new "new" "define")) @def.class
(assignment left: (constant) right: (call receiver: (constant) @_of method: (identifier) @_new
    arguments: (argument_list (simple_symbol) @name @def.function))
  (#any-of? @_of "Struct" "Data") (#any-of? @_new "new" "define"))
(body_statement (assignment left: (constant) @name right: (_) @value) @def.variable
  (#not-match? @value "^(Struct|Data|Class|Module)\\.(new|define)"))
; methods that a call in the body of a class defines: each of its symbols, or the first alone
(call !receiver method: (identifier) @_make arguments: (argument_list (simple_symbol) @name @def.function)
  (#any-of? @_make "attr_accessor" "attr_reader" "attr_writer" "attr" "cattr_accessor" "cattr_reader" "mattr_accessor"
    "mattr_reader" "class_attribute" "thread_mattr_accessor" "delegate" "delegated" "attr_internal" "store_accessor")
  (#not-match? @name "^:@"))
(call !receiver method: (identifier) @_make arguments: (argument_list (string (string_content) @name) @def.function)
  (#any-of? @_make "attr_accessor" "attr_reader" "attr_writer"))
(call !receiver method: (identifier) @_make arguments: (argument_list . (simple_symbol) (simple_symbol) @name @def.function)
  (#any-of? @_make "def_delegators" "def_instance_delegators" "def_delegator" "def_instance_delegator"))
(call !receiver method: (identifier) @_make arguments: (argument_list . (simple_symbol) @name)
  (#any-of? @_make "define_method" "define_singleton_method" "alias_method" "scope" "has_many" "has_one" "belongs_to"
    "has_and_belongs_to_many" "attribute" "has_one_attached" "has_many_attached" "memoize")) @def.function
(call !receiver method: (identifier) @_make arguments: (argument_list . (simple_symbol) @made)
  (#any-of? @_make "scope" "has_many" "has_one" "belongs_to" "has_and_belongs_to_many"))
(call !receiver method: (identifier) @_make arguments: (argument_list (simple_symbol) @made) (#eq? @_make "delegate"))
(singleton_method object: [(self) (constant)] @key)
; what an example of RSpec calls by name
(call !receiver method: (identifier) @_let arguments: (argument_list . (simple_symbol) @name) block: (_ body: (_) @body)
  (#any-of? @_let "let" "let!" "subject" "subject!")) @def.function
(call !receiver method: (identifier) @name !arguments block: (_ body: (_) @body) (#eq? @name "subject")) @def.function
(call !receiver method: (identifier) @_open block: (_)
  (#any-of? @_open "let" "let!" "subject" "subject!" "define_method" "define_singleton_method" "scope")) @closure
(call !receiver method: (identifier) @_let block: (_ body: (_ (_) @returned . (comment)? .))
  (#any-of? @_let "let" "let!" "subject" "subject!"))
(call method: (identifier) @_describe arguments: (argument_list . [(constant) (scope_resolution)] @value)
  block: (_) @subject (#any-of? @_describe "describe" "context" "feature" "shared_examples"))

; ---- modules that are mixed in
(call !receiver method: (identifier) @_mix arguments: (argument_list [(constant) (scope_resolution)] @base.first)
  (#any-of? @_mix "include" "prepend" "extend"))

; ---- what is no code
(comment) @comment
[(string_content) (heredoc_content) (heredoc_beginning) (heredoc_end) (simple_symbol) (hash_key_symbol) (character)
 (escape_sequence)] @skip
(uninterpreted) @hide
(subshell) @subshell

; ---- imports
(call !receiver method: (identifier) @imp.callee arguments: (argument_list . [(string) (call) (binary)] @imp.from .)
  (#any-of? @imp.callee "require" "require_relative" "load" "require_dependency")) @imp
(call method: (identifier) @imp.callee arguments: (argument_list . (simple_symbol) (string) @imp.from .)
  (#any-of? @imp.callee "autoload")) @imp

; ---- scopes without a name, and names that a scope binds itself
(block) @scope
(do_block) @scope
(lambda) @scope
(method_parameters (identifier) @param)
(block_parameters (identifier) @param)
(lambda_parameters (identifier) @param)
(destructured_parameter (identifier) @param)
[(optional_parameter name: (identifier) @param) (keyword_parameter name: (identifier) @param)
 (splat_parameter name: (identifier) @param) (hash_splat_parameter name: (identifier) @param)
 (block_parameter name: (identifier) @param)]
(call method: (_) @handed.end arguments: (_)? @handed.end block: (_ parameters: (block_parameters . (identifier) @handed))) @value
(rescue exceptions: (exceptions . (_) @type .)? variable: (exception_variable (identifier) @param))
(assignment left: [(identifier) (constant) (instance_variable) (class_variable) (call) (element_reference)] @bind
  right: (_) @value)
(operator_assignment left: [(identifier) (instance_variable) (class_variable)] @bind right: (_) @value)
(operator_assignment left: [(call) (element_reference) (constant)] @write)
(left_assignment_list (identifier) @local)
(left_assignment_list [(instance_variable) (class_variable)] @bind)
(program (assignment left: (global_variable) @bind right: (_) @value))
(assignment left: (global_variable) @assign right: (_) @value)
(operator_assignment left: (global_variable) @assign right: (_) @value)
(for pattern: (_) @local)
(as_pattern name: (identifier) @local)
(array_pattern (identifier) @local)
(keyword_pattern key: (hash_key_symbol) @local !value)
(keyword_pattern value: (identifier) @local)
(in_clause pattern: (identifier) @local)
(return (argument_list . (_) @returned .))
(method body: (body_statement (_) @returned . (comment)? .))
(singleton_method body: (body_statement (_) @returned . (comment)? .))
(body_statement (operator_assignment left: (instance_variable) right: (_) @returned) . (comment)? .)

; ---- calls that the text alone does not show
(call method: (_) arguments: (argument_list) @unparenthesized)
(call receiver: (_) method: (identifier) @maker (#eq? @maker "new"))
