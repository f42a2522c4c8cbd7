import 'package:shop/shop.dart'; // => import package:shop/shop.dart:*

final Store store = Store(); // => def variable store; call+type *.Store
int total = 0; // => def variable total

void run(List<String> names, {Store? given, required Page page}) { // => def function run; type *.Store; type *.Page
  page.show(); // => call *.Page().show
  total = names.length + base; // => read+write total; read *.base
  store.clear(); // => call *.Store().clear; read store
  given!.load().show(); // => call *.Store().load; call *.Store().load().show
  for (final name in names) {
    name.run();
  }
  for (var i = 0; i < limit; i++) print(i); // => read *.limit; call *.print; effect logging dart.core.print
  names.forEach((name) => name.trim());
  names.map((String each) {
    each.trim();
    return each;
  });
  try {
    store.save(); // => call *.Store().save
  } on SaveError catch (failure, trace) { // => type *.SaveError
    failure.report(trace);
  }
  switch (page) {
    case Sheet(size: var size, :final width): // => call+type *.Sheet
      size.grow(width);
  }
  if (page case Sheet sheet) {
    sheet.grow();
  }
  var (left, right) = split(); // => call *.split
  left.join(right);
  final list = [...spread, if (flag) one else two, for (final x in many) x.name]; // => read *.spread; read *.flag; read *.one; read *.two; read *.many; read *.many[].name
  int helper(int limit) => limit + 1; // => def function run.helper
  helper(list.length); // => call run.helper
  final text = "$total of ${given.name} $unknown\n"; // => read *.Store().name; read *.unknown
  show(name: text, total: 1); // => call *.show
  final crate = new Crate<Page>(1); // => call *.Crate
  crate.open(); // => call *.Crate().open
  const Box().close(); // => call *.Box; call *.Box().close
}

class Screen extends StatefulWidget { // => def class Screen; base *.StatefulWidget
  const Screen({super.key, required this.title});
  final Title title; // => type *.Title
  @override // => read *.override
  State<Screen> createState() => _ScreenState(); // => def method Screen.createState; type *.State; type Screen; call _ScreenState
}

class _ScreenState extends State<Screen> { // => def class _ScreenState; base *.State; type Screen
  @override // => read *.override
  Widget build(BuildContext context) { // => def method _ScreenState.build; type *.Widget; type *.BuildContext
    return Scaffold( // => call *.Scaffold
      body: widget.title.draw(), // => call *.Title().draw; read Screen.title
      child: const Footer(), // => call *.Footer
    );
  }
}
