import 'dart:io'; // => import dart:io:*
import 'dart:math' as math; // => import dart:math as math
import 'package:dio/dio.dart'; // => import package:dio/dio.dart:*
import 'package:http/http.dart' as http; // => import package:http/http.dart as http
import 'package:shared_preferences/shared_preferences.dart'; // => import package:shared_preferences/shared_preferences.dart:*
import 'package:sqflite/sqflite.dart'; // => import package:sqflite/sqflite.dart:*

class Files { // => def class Files
  final Dio dio = Dio(); // => call+type *.Dio
  final http.Client client; // => type package:http/http.dart.Client
  Files(this.client);

  Future<void> run(Database db) async { // => def method Files.run; type *.Future; type *.Database
    await File('x').readAsString(); // => call *.File; call *.File().readAsString; effect file_io dart.io.File.readAsString
    final file = File('y');
    file.writeAsStringSync('z'); // => call *.File().writeAsStringSync; effect file_io dart.io.File.writeAsStringSync
    if (Directory('d').existsSync()) return; // => call *.Directory; call *.Directory().existsSync; effect file_io dart.io.Directory.existsSync
    await Process.run('ls', []); // => call *.Process.run; effect subprocess dart.io.Process.run
    await http.get(Uri.parse('u')); // => call package:http/http.dart.get; effect network http.get; call *.Uri.parse
    await client.post(uri); // => call package:http/http.dart.Client().post; effect network http.Client.post; read *.uri
    await dio.get('u'); // => call *.Dio().get; effect network dio.Dio.get
    await db.query('t'); // => call *.Database().query; effect database sqflite.Database.query
    final prefs = await SharedPreferences.getInstance(); // => call *.SharedPreferences.getInstance; effect file_io shared_preferences.SharedPreferences.getInstance
    prefs.setInt('k', 1); // => call *.SharedPreferences.getInstance().setInt; effect file_io shared_preferences.SharedPreferences.setInt
    Platform.environment['HOME']; // => read *.Platform.environment; effect env dart.io.Platform.environment
    DateTime.now(); // => call *.DateTime.now; effect clock dart.core.DateTime.now
    math.Random().nextInt(3); // => call dart:math.Random; effect random dart.math.Random; call dart:math.Random().nextInt; effect random dart.math.Random.nextInt
    print('x'); // => call *.print; effect logging dart.core.print
    stdout.writeln('x'); // => call *.stdout.writeln; effect logging dart.io.stdout.writeln
    query('q'); // => call *.query
  }
}
