"""How the files of Ruby projects find each other: constants, requires, modules mixed in, types, effects, tests."""

import json
import random
from pathlib import Path

import pytest

from memoire.dispatch import extract
from memoire.languages.ruby.macros import made
from tests.support import Linked

PROJECT = Path(__file__).parents[2] / "languages" / "projects" / "ruby"


def reached(project: Linked, path: str) -> set[str]:
    """The `path::Symbol` of other files that a file uses."""
    return {f"{item.path}::{item.symbol}" for item in project.processor.links(path).references if item.path != path}


def test_imports_are_those_that_ruby_itself_sees() -> None:
    truth = json.loads((PROJECT / "truth.json").read_text("utf-8"))
    files = {str(path.relative_to(PROJECT)): path.read_bytes() for path in PROJECT.rglob("*") if path.is_file()}
    project = Linked(files)
    found = {}
    for path in truth:
        links = [item for item in project.processor.links(path).imports if item.target_kind == "file"]
        found[path] = {
            "requires": sorted(item.target for item in links if item.kind == "require"),
            "constants": sorted(item.target for item in links if item.kind == "implicit"),
        }
    assert found == truth


FOO = "module App\n  class Foo\n    LIMIT = 1\n    def self.make = new\n    def run; end\n  end\nend\n"


@pytest.mark.parametrize(
    "source",
    [
        "App::Foo.make.run\nApp::Foo.new.run",
        "::App::Foo.make\nfoo = ::App::Foo.new\nfoo.run",
        "module App\n  class Bar\n    def go(x) = Foo.make && Foo.new.run\n  end\nend",
        "module App::Deep\n  def self.go = App::Foo.make\n  def self.on = App::Foo.new.run\nend",
        "class App::Bar < App::Foo\n  def go\n    run\n    self.class.make\n  end\nend",
        "class Far\n  def initialize\n    @foo = App::Foo.new\n  end\n"
        "  def go\n    @foo.run\n    App::Foo.make\n  end\nend",
        "class Far\n  attr_reader :foo\n  def initialize\n    @foo ||= App::Foo.new nil\n  end\n"
        "  def go\n    foo.run\n    App::Foo.make\n  end\nend",
        "class Far\n  def foo\n    @foo ||= App::Foo.new\n  end\n  def go = foo.run\n  def on = App::Foo.make\nend",
        "describe App::Foo do\n  subject(:foo) { described_class.new }\n"
        "  it { foo.run }\n  it { described_class.make }\nend",
        'puts "#{App::Foo.make} #{App::Foo.new.run}"',
        "begin\n  App::Foo.make\nend unless App::Foo.new(1)&.run",
    ],
)
def test_a_constant_and_its_methods_are_found_by_every_form(source: str) -> None:
    project = Linked({"app/models/app/foo.rb": FOO, "app/use.rb": source})
    symbols = {name.partition("::")[2] for name in reached(project, "app/use.rb")}
    assert {"App.Foo.run", "App.Foo.make"} <= symbols
    assert ("app/use.rb", "app/models/app/foo.rb") in project.edges("IMPORTS")


@pytest.mark.parametrize(
    "source",
    [
        "Foo.make",
        "Other::Foo.new.run",
        "module Other\n  class Foo; end\n  def self.go = Foo.new.run\nend",
        "class Bar\n  def go = run\nend",
        "module App\n  class Bar\n    def go = run\n  end\nend",
        "foo = App.foo\nfoo.run",
        "def go(foo) = foo.run\nfoo = App::Foo.new",
        "'App::Foo.make' # App::Foo.make\n=begin\nApp::Foo.make\n=end\n:make",
        "text = <<~TEXT\n  App::Foo.make\nTEXT",
        "__END__\nApp::Foo.make",
        "{ make: 1, run: 2 }\nrun = 1\nrun + 1",
    ],
)
def test_another_thing_of_the_same_name_is_never_taken(source: str) -> None:
    project = Linked({"app/models/app/foo.rb": FOO, "app/use.rb": source})
    symbols = {name.partition("::")[2] for name in reached(project, "app/use.rb")}
    assert not {"App.Foo.run", "App.Foo.make"} & symbols


def test_what_many_files_open_is_of_the_file_that_its_path_spells() -> None:
    project = Linked(
        {
            "lib/my_app.rb": "module MyApp\n  def self.root = 1\nend\n",
            "lib/my_app/user.rb": "module MyApp\n  class User < Model\n    def name; end\n  end\nend\n",
            "lib/my_app/extra.rb": "module MyApp\n  class User\n    def extra; end\n  end\nend\n",
            "lib/my_app/model.rb": "module MyApp\n  class Model\n    def save; end\n  end\nend\n",
            "lib/use.rb": "user = MyApp::User.new\nuser.name\nuser.extra\nuser.save\nMyApp.root\n",
        }
    )
    assert reached(project, "lib/use.rb") == {
        "lib/my_app/user.rb::MyApp.User",
        "lib/my_app/user.rb::MyApp.User.name",
        "lib/my_app/extra.rb::MyApp.User.extra",
        "lib/my_app/model.rb::MyApp.Model.save",
        "lib/my_app.rb::MyApp.root",
    }
    imported = {target for source, target in project.edges("IMPORTS") if source == "lib/use.rb"}
    assert imported == {"lib/my_app/user.rb", "lib/my_app.rb"}


def test_a_namespace_that_no_file_owns_is_imported_from_none() -> None:
    project = Linked(
        {
            "lib/one.rb": "module Rack\n  class One; end\nend\n",
            "lib/two.rb": "module Rack\n  class Two; end\nend\n",
            "lib/use.rb": "Rack::Builder.new\nRack.release\n",
        }
    )
    assert not {edge for edge in project.edges("IMPORTS") if edge[0] == "lib/use.rb"}
    assert "lib/one.rb::Rack.One" not in reached(project, "lib/use.rb")


def test_an_application_sees_no_other_beside_it_unless_its_gemfile_names_it() -> None:
    files = {
        "apps/one/Gemfile": "gem 'rails'\n",
        "apps/one/app/models/user.rb": "class User; end\n",
        "apps/two/Gemfile": "# gem 'one', path: '../one'\n",
        "apps/two/app/use.rb": "User.new\n",
    }
    project = Linked(files)
    assert not reached(project, "apps/two/app/use.rb")
    project.save({"apps/two/Gemfile": "gem 'one', path: '../one'\n"})
    assert reached(project, "apps/two/app/use.rb") == {"apps/one/app/models/user.rb::User"}


def test_code_does_not_see_what_only_tests_define() -> None:
    project = Linked(
        {
            "spec/support/fake.rb": "class Fake; end\n",
            "spec/a_spec.rb": "it { Fake.new }\n",
            "lib/a.rb": "Fake.new\n",
        }
    )
    assert reached(project, "spec/a_spec.rb") == {"spec/support/fake.rb::Fake"}
    assert not reached(project, "lib/a.rb")


def test_core_classes_that_a_project_opens_again_are_not_its_own() -> None:
    project = Linked({"lib/string.rb": "class String\n  def shout; end\nend\n", "lib/use.rb": "String.new.shout\n"})
    assert not reached(project, "lib/use.rb")


def test_methods_of_the_top_are_seen_by_files_that_require_theirs() -> None:
    project = Linked(
        {
            "test/test_helper.rb": "require 'support/login'\n",
            "test/support/login.rb": "def login(user)\nend\n\ndescribe 'x' do\n  def hidden; end\nend\n",
            "test/a_test.rb": "require 'test_helper'\n"
            "class ATest\n  def test_a\n    login :user\n    hidden\n  end\nend\n",
            "test/b_test.rb": "class BTest\n  def test_b\n    login :user\n  end\nend\n",
        }
    )
    assert reached(project, "test/a_test.rb") == {"test/support/login.rb::login"}
    assert not reached(project, "test/b_test.rb")


@pytest.mark.parametrize(
    ("statement", "target"),
    [
        ("require_relative 'x'", "lib/app/x.rb"),
        ("require_relative '../y.rb'", "lib/y.rb"),
        ("require 'app/x'", "lib/app/x.rb"),
        ("require('y')", "lib/y.rb"),
        ("require 'spec_helper'", "spec/spec_helper.rb"),
        ("require 'engine'", "engines/engine/lib/engine.rb"),
        ("require File.expand_path('../x', __FILE__)", "lib/app/x.rb"),
        ("require File.expand_path('../y', __dir__)", "lib/y.rb"),
        ("require File.join(__dir__, 'x')", "lib/app/x.rb"),
        ("autoload :Y, 'y'", "lib/y.rb"),
        ("load 'lib/y.rb'", "lib/y.rb"),
        ("require 'json'", ""),
        ("require 'rails/all'", ""),
        ('require "#{name}/x"', ""),
        ("require path", ""),
        ("require_relative 'app/x'", ""),
        ("obj.require 'y'", ""),
        ("require 'deep/inner'", ""),
    ],
)
def test_a_required_file_is_found_on_the_load_path(statement: str, target: str) -> None:
    project = Linked(
        {
            "lib/app/x.rb": "",
            "lib/y.rb": "",
            "spec/spec_helper.rb": "",
            "engines/engine/lib/engine.rb": "",
            "other/deep/inner.rb": "",
            "lib/app/use.rb": statement + "\n",
        }
    )
    found = {edge for edge in project.edges("IMPORTS") if not edge[1].startswith("pkg:")}
    assert found == ({("lib/app/use.rb", target)} if target else set())


def test_a_gem_is_called_as_bundler_locks_it() -> None:
    lock = "GEM\n  specs:\n    activesupport (7.0)\n      i18n (>= 1)\n    net-ssh (7.0)\n    rack (3.0)\n"
    sources = ["active_support/core_ext", "net/ssh", "rack/test", "net/http", "other/thing"]
    project = Linked({"Gemfile.lock": lock, "lib/a.rb": "".join(f"require '{name}'\n" for name in sources)})
    found = [(item.target_kind, item.target) for item in project.processor.links("lib/a.rb").imports]
    assert found == [
        ("package", "activesupport"),
        ("package", "net-ssh"),
        ("package", "rack"),
        ("builtin", "net"),
        ("package", "other"),
    ]


def effects(project: Linked, path: str) -> set[tuple[str, str]]:
    facts = project.processor.facts(path)
    assert facts is not None
    return {(item.category, item.callee) for item in facts.effects if not item.is_void}


def test_effects_come_through_bases_of_other_files() -> None:
    project = Linked(
        {
            "app/models/application_record.rb": "class ApplicationRecord < ActiveRecord::Base\nend\n",
            "app/models/user.rb": "class User < ApplicationRecord\n  def self.count = 1\nend\n",
            "app/use.rb": "def go\n  user = User.find 1\n  user.save!\n  User.count\n  User.where(a: 1).first\nend\n",
        }
    )
    found = effects(project, "app/use.rb")
    assert {("database", f"ActiveRecord.Base.{name}") for name in ("find", "save!", "first")} <= found
    assert ("database", "ActiveRecord.Base.count") not in found


RECORDS = {
    "app/models/application_record.rb": "class ApplicationRecord < ActiveRecord::Base\nend\n",
    "app/models/concerns/taggable.rb": "module Taggable\n  extend ActiveSupport::Concern\nend\n",
    "app/models/user.rb": "class User < ApplicationRecord\n  include Taggable\n  has_many :posts\n"
    "  scope :active, -> { where(active: true) }\n  def greet; end\nend\n",
    "app/models/post.rb": "class Post < ApplicationRecord\n  belongs_to :user\n  def publish\n    save!\n  end\n"
    "  def name\n    save_all!\n  end\nend\n",
}


@pytest.mark.parametrize(
    ("source", "callees"),
    [
        ("User.count.zero?", {"count"}),
        ("User.active.order(:x).first.greet", {"first"}),
        ("User.find(1).posts.find_by(a: 1).user.greet", {"find", "find_by"}),
        ("User.find_each { |user| user.posts.destroy_all }", {"find_each", "destroy_all"}),
        ("user = User.find_by(a: 1)\n  user.touch", {"find_by", "touch"}),
        ("User.where(a: 1)", set()),
        ("User.greet", set()),
        ("find(1).posts.first", set()),
    ],
)
def test_a_model_of_the_project_stays_itself_through_queries(source: str, callees: set[str]) -> None:
    project = Linked({**RECORDS, "app/use.rb": f"def go\n  {source}\nend\n"})
    assert effects(project, "app/use.rb") == {("database", f"ActiveRecord.Base.{name}") for name in callees}


def test_a_query_leads_to_the_methods_of_the_model() -> None:
    project = Linked(
        {**RECORDS, "app/use.rb": "User.active.find(1).greet\nPost.first.user.greet\nUser.first.publish\n"}
    )
    assert {"app/models/user.rb::User.greet", "app/models/post.rb::Post.user"} <= reached(project, "app/use.rb")
    assert "app/models/post.rb::Post.publish" not in reached(project, "app/use.rb")


def test_a_name_alone_is_what_the_class_inherits_from_a_library_through_other_files() -> None:
    assert effects(Linked(RECORDS), "app/models/post.rb") == {("database", "ActiveRecord.Base.save!")}
    lone = {"lib/a.rb": "class A\n  def go\n    save!\n  end\nend\ndef on\n  save!\nend\n"}
    assert not effects(Linked({**RECORDS, **lone}), "lib/a.rb")


def test_a_class_of_a_library_that_a_project_opens_again_keeps_what_it_had() -> None:
    files = {
        "config/initializers/jobs.rb": "class Delayed::Job\n  scope :late, -> { all }\n  def self.sum = 1\nend\n",
        "lib/use.rb": "Delayed::Job.count\nDelayed::Job.late.delete_all\nDelayed::Job.sum\nTyphoeus.get 'x'\n",
        "lib/app/typhoeus/response.rb": "module Typhoeus\n  class Response; end\nend\n",
    }
    found = effects(Linked(files), "lib/use.rb")
    assert {("database", f"ActiveRecord.Base.{name}") for name in ("count", "delete_all")} <= found
    assert ("network", "Typhoeus.get") in found
    assert ("database", "ActiveRecord.Base.sum") not in found


def test_what_a_method_of_another_file_gives_is_a_librarys() -> None:
    files = {
        "lib/reach.rb": "module Reach\n  def client\n    return @client if @client\n"
        "    @client = Twitter::REST::Client.new do |config|\n      config.key = 1\n    end\n  end\nend\n",
        "lib/use.rb": "class Use\n  include Reach\n  def go\n    client.update 'x'\n    other.update 'x'\n  end\nend\n",
        "app/mailers/hello.rb": "class Hello < ApplicationMailer\n  def hi(user)\n    mail to: user\n  end\nend\n",
        "app/mailers/application_mailer.rb": "class ApplicationMailer < ActionMailer::Base\nend\n",
        "lib/hi.rb": "Hello.hi(1).deliver\nHello.hi(1).subject\n",
    }
    project = Linked(files)
    assert effects(project, "lib/use.rb") == {("network", "Twitter.REST.Client.update")}
    assert effects(project, "lib/hi.rb") == {("network", "ActionMailer.MessageDelivery.deliver")}
    assert not effects(project, "app/mailers/hello.rb")


def test_methods_that_only_records_have_count_where_a_project_has_some() -> None:
    source = "def go(x)\n  x.posts.find_by!(a: 1)\n  x.create!\n  x.find(params[:id])\n  x.find { 1 }\nend\n"
    assert not effects(Linked({"lib/use.rb": source}), "lib/use.rb")
    found = effects(Linked({**RECORDS, "lib/use.rb": source}), "lib/use.rb")
    assert found == {("database", "find_by!"), ("database", "create!"), ("database", "find")}
    own = {"lib/own.rb": "class Own\n  def create!; end\n  def find(x); end\nend\n"}
    found = effects(Linked({**RECORDS, **own, "lib/use.rb": source}), "lib/use.rb")
    assert found == {("database", "find_by!"), ("database", "find")}


@pytest.mark.parametrize(
    ("call", "name", "given"),
    [
        ("has_many :order_lines, dependent: :destroy", "order_lines", "OrderLine()"),
        ("has_many :categories", "categories", "Category()"),
        ("has_many :addresses", "addresses", "Address()"),
        ("has_many :boxes", "boxes", "Box()"),
        ("has_many :houses", "houses", "House()"),
        ("has_many :people", "people", "Person()"),
        ("has_many :statuses", "statuses", "Status()"),
        ("has_many :items, through: :lines, source: :product", "items", "Product()"),
        ("has_many(:staff, class_name: 'Crm::Worker')", "staff", "Crm::Worker()"),
        ("belongs_to :owner, class_name: '::User'", "owner", "User()"),
        ("belongs_to :news", "news", "News()"),
        ("belongs_to :owner, polymorphic: true", "owner", ""),
        ("scope :late, -> { where(a: 1) }", "late", "new()"),
        ("delegate :name, :size, to: :@file", "size", "@file.size()"),
        ("delegate :name, to: :class", "name", "self.name()"),
        ("delegate :name, to: :user, prefix: true", "name", ""),
        ("delegate :name, to: 'user.account'", "name", ""),
    ],
)
def test_a_declaration_tells_what_the_method_gives_that_it_makes(call: str, name: str, given: str) -> None:
    assert made(call, name) == given


def test_a_class_that_is_only_named_and_what_a_call_gave_act_on_nothing() -> None:
    source = "def go(x)\n  x.is_a?(Redis)\nend\ndef on\n  text = File.read 'x'\nend\ndef up\n  Redis.new\n  on\nend\n"
    project = Linked({"lib/a.rb": source + "def all\n  text = File.read('x')\n  puts text\n  text\nend\n"})
    facts = project.processor.facts("lib/a.rb")
    assert facts is not None
    found = [(item.callee, item.line) for item in facts.effects]
    assert found == [("File.read", 5), ("Redis", 8), ("File.read", 12), ("puts", 13)]


def test_a_class_of_the_project_is_none_of_a_library() -> None:
    files = {"lib/use.rb": "Redis.new.get('x')\nFile.read('x')\n"}
    project = Linked(files)
    assert effects(project, "lib/use.rb") == {("cache", "Redis"), ("cache", "Redis.get"), ("file_io", "File.read")}
    project.save({"lib/redis.rb": "class Redis\n  def get(name); end\nend\n"})
    assert effects(project, "lib/use.rb") == {("file_io", "File.read")}


def test_tests_of_every_framework_assert_on_what_they_use() -> None:
    use = "App::Foo.new.run"
    project = Linked(
        {
            "lib/app/foo.rb": FOO,
            "spec/foo_spec.rb": f"RSpec.describe App::Foo do\n  it('runs') {{ {use} }}\nend\n",
            "test/foo_test.rb": f"class FooTest < Minitest::Test\n  def test_run\n    {use}\n  end\nend\n",
            "test/bar_test.rb": f"class BarTest < ActiveSupport::TestCase\n  test 'runs' do\n    {use}\n  end\nend\n",
            "features/step_definitions/foo.rb": f"When(/x/) {{ {use} }}\n",
            "spec/support/helper.rb": f"def helper\n  {use}\nend\n",
        }
    )
    sources = {source.partition("::")[0] for source, _ in project.edges("ASSERTS_ON")}
    assert sources == {
        "spec/foo_spec.rb",
        "test/foo_test.rb",
        "test/bar_test.rb",
    }


@pytest.mark.parametrize(
    "source", ["", "# x", "__END__\nclass A; end", "=begin\nclass A", "def", "end", "class", "<<~X"]
)
def test_whatever_a_file_holds_it_has_facts(source: str) -> None:
    facts = extract("x.rb", source.encode())
    assert facts.language == "ruby"
    assert not facts.definitions


def test_a_test_beside_code_sees_what_tests_define_whoever_was_linked_first() -> None:
    files = {
        "test/fake.rb": "class Fake; end\n",
        "lib/a.rb": "Fake.new\n",
        "lib/a_test.rb": "test('x') { Fake.new }\n",
        "lib/b.rb": "Fake.new\n",
    }
    project = Linked(files)
    assert reached(project, "lib/a_test.rb") == {"test/fake.rb::Fake"}
    assert not reached(project, "lib/a.rb") | reached(project, "lib/b.rb")


def test_a_class_found_again_elsewhere_moves_what_uses_it() -> None:
    project = Linked({"lib/foo.rb": "class Foo\n  def run; end\nend\n", "lib/use.rb": "Foo.new.run\n"})
    assert project.edges("IMPORTS") == {("lib/use.rb", "lib/foo.rb")}
    project.save({"app/foo.rb": "class Foo\n  def run; end\nend\n"}, gone=("lib/foo.rb",))
    assert project.edges("IMPORTS") == {("lib/use.rb", "app/foo.rb")}
    assert reached(project, "lib/use.rb") == {"app/foo.rb::Foo", "app/foo.rb::Foo.run"}


@pytest.mark.parametrize("seed", range(3))
def test_a_project_has_the_same_edges_in_whatever_order_its_files_come(seed: int) -> None:
    files = {str(path.relative_to(PROJECT)): path.read_bytes() for path in PROJECT.rglob("*") if path.is_file()}
    whole = Linked(files)
    order = sorted(files)
    random.Random(seed).shuffle(order)
    grown = Linked({})
    for path in order:
        grown.save({path: files[path]})
    for relation in ("IMPORTS", "ASSERTS_ON"):
        assert grown.edges(relation) == whole.edges(relation)
    for relation in ("CALLS", "REFERENCES", "INHERITS"):
        assert grown.symbols(relation) == whole.symbols(relation)
