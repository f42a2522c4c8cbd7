/// Shows what is for sale.
library shop.classes;

import 'dart:async'; // => import dart:async:*
import 'dart:convert' show json, utf8; // => import dart:convert:json; import dart:convert:utf8
import 'package:shop/store.dart' as store; // => import package:shop/store.dart as store
import '../src/page.dart' deferred as pages; // => import ../src/page.dart as pages
import 'plain.dart' hide Hidden; // => import plain.dart:*
import 'stub.dart' // => import stub.dart:*; import io.dart (conditional); import web.dart (conditional)
    if (dart.library.io) 'io.dart'
    if (dart.library.html) 'web.dart';
import 'package:flutter/widgets.dart'; // => import package:flutter/widgets.dart:*
export 'src/all.dart'; // => import src/all.dart:* (reexport)
export 'src/some.dart' show One, Two; // => import src/some.dart:One (reexport); import src/some.dart:Two (reexport)
part 'classes.g.dart'; // => import classes.g.dart

/// A thing that can be sold. It has a price.
abstract class Sellable { // => def class Sellable
  int get price; // => def method Sellable.price
  Receipt sell(Buyer buyer); // => def method Sellable.sell; type *.Receipt; type *.Buyer
}

class Shelf<T extends Item> extends store.Base<T> with Named, Logged implements Sellable { // => def class Shelf; type *.Item; base package:shop/store.dart.Base; base Named; base *.Logged; base Sellable
  final String _place;
  late Player player = Player(); // => call+type *.Player
  store.Label? label; // => type package:shop/store.dart.Label
  static const limit = 3;
  final items = <T>[];

  Shelf(this._place, {super.key, required this.label}) : assert(limit > 0);
  Shelf.empty(Label label) : _place = make(label); // => def method Shelf.empty; type *.Label; call *.make
  factory Shelf.of(Map<String, Item> all) => Shelf.empty(all.first); // => def method Shelf.of; type *.Item; call Shelf.empty
  const factory Shelf.other() = Counter.shelf; // => def method Shelf.other; type *.Counter.shelf

  @override // => read *.override
  int get price => items.length; // => def method Shelf.price; read Shelf.items.length

  set price(int value) { // => def method Shelf.price
    _count = value; // => write *._count
    player.volume = value; // => write *.Player().volume
    this.label = null; // => write Shelf.label
  }

  Future<Page?> open(String name, [int n = 0]) async { // => def method Shelf.open; type *.Future; type *.Page
    final page = await store.load<Page>(name); // => call package:shop/store.dart.load
    page.show(); // => call package:shop/store.dart.load().show
    final Page other = Page.named(1); // => call *.Page.named
    other.show(); // => call *.Page().show
    player..play()..stop(); // => call *.Player().play; call *.Player().play().stop
    final fresh = Player()..mute(); // => call *.Player; call *.Player().mute
    fresh?.play();
    super.open(name); // => call Shelf.<super>.open
    price; // => read Shelf.price
    close(); // => call *.close
    return null;
  }

  bool operator ==(Object other) => other is Shelf; // => def method Shelf.==; type Shelf
}

mixin Named on Base { // => def trait Named; base *.Base
  String get name => 'n'; // => def method Named.name
}

extension PageHelp on Page { // => def extension Page; type *.Page
  void print2() => show(); // => def method Page.print2; call *.show
}

extension type Id(int value) { // => def struct Id
  int get twice => value * 2; // => def method Id.twice
}

enum Colour { // => def enum Colour
  red(1), green(2); // => def variable Colour.red; def variable Colour.green
  const Colour(this.code);
  final int code;
  Colour get next => values.first; // => def method Colour.next; type Colour; read *.values.first
}

typedef Handler = void Function(Page page); // => def type Handler; type *.Page
typedef int Old(int x); // => def type Old
sealed class Shape {} // => def class Shape
class Both = Base with Named; // => def class Both; base *.Base; base Named
final Shelf main2 = Shelf.empty(null), second = Shelf.of(1); // => def variable main2; def variable second; type Shelf; call Shelf.empty; call Shelf.of
