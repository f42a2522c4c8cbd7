# Prints, for every file that was loaded, the files that it requires and those that define the constants it names.
#
# What is required is seen as it happens; a constant is looked up as Ruby does, by where it stands, and its file is
# what `const_source_location` says.
require 'json'

ROOT = "#{File.realpath(ARGV[0])}/"
$LOAD_PATH.unshift "#{ROOT}lib", "#{ROOT}test"
REQUIRED = Hash.new { |hash, file| hash[file] = [] }

def note(path, caller)
  from = caller.absolute_path.to_s
  full = $LOAD_PATH.resolve_feature_path(path)&.last.to_s
  return unless full.start_with?(ROOT) && from.start_with?(ROOT)

  # A constant that is loaded by itself calls `require` as well: there the line says nothing of it.
  line = File.readlines(from)[caller.lineno - 1]
  REQUIRED[from.delete_prefix(ROOT)] << full.delete_prefix(ROOT) if line.include?('require')
end

module Kernel
  alias plain_require require

  def require(path)
    note(path, caller_locations(1, 1)[0])
    plain_require(path)
  end

  def require_relative(path)
    from = caller_locations(1, 1)[0]
    path = File.expand_path(path, File.dirname(from.absolute_path))
    note(path, from)
    plain_require(path)
  end
end

$stdout = $stderr
%w[shop.gemspec bin/shop.rb test/order_test.rb].each { |file| load "#{ROOT}#{file}" }
$stdout = STDOUT

def parts(node)
  case node&.type
  when :CONST then [node.children[0]]
  when :COLON2 then (head = node.children[0]) ? (before = parts(head)) && before + [node.children[1]] : [node.children[1]]
  when :COLON3 then [nil, node.children[0]]
  end
end

def place(names, nesting)
  first, *rest = names
  scopes = nesting.map { |name| Object.const_get(name) }
  around = scopes.find { |scope| first && scope.const_defined?(first, false) }
  around ||= first && scopes[0]&.const_defined?(first) ? scopes[0] : Object
  rest.unshift(first) if first
  rest[0...-1].each { |name| around = around.const_get(name) }
  around.const_defined?(rest[-1]) && (around.const_get(rest[-1]); around.const_source_location(rest[-1]))
end

def walk(node, nesting, found)
  return unless node.is_a?(RubyVM::AbstractSyntaxTree::Node)

  if %i[MODULE CLASS].include?(node.type)
    names = parts(node.children[0])
    walk(node.children[1], nesting, found) if node.type == :CLASS
    return walk(node.children[-1], [[nesting[0], *names].compact.join('::'), *nesting], found)
  end
  names = parts(node)
  return found << place(names, nesting) if names

  node.children.each { |child| walk(child, nesting, found) }
end

FILES = Dir.chdir(ROOT) { Dir['{lib,test,bin}/**/*.rb', '*.gemspec'] }
truth = FILES.sort.to_h do |file|
  found = []
  walk(RubyVM::AbstractSyntaxTree.parse_file("#{ROOT}#{file}"), [], found)
  constants = found.compact.map { |path, _| path.to_s.delete_prefix(ROOT) } & FILES
  [file, { requires: REQUIRED[file].uniq.sort, constants: (constants - [file]).uniq.sort }]
end
puts JSON.pretty_generate(truth)
