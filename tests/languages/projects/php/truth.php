<?php
/*
 * Prints, for every file below a folder, the files that declare what it names.
 *
 * Names are resolved by nikic/php-parser (Debian: php-parser), classes found by the class map of Composer, functions
 * and constants by their declarations.
 */
require '/usr/share/php/PhpParser/autoload.php';

use PhpParser\Node;
use PhpParser\Node\Stmt;

$root = rtrim($argv[1], '/');
$classes = array_map('realpath', require "$root/vendor/composer/autoload_classmap.php");
$names = $functions = $constants = [];
foreach (new RecursiveIteratorIterator(new RecursiveDirectoryIterator($root, FilesystemIterator::SKIP_DOTS)) as $file) {
    $path = $file->getPathname();
    if (!preg_match('/\.(php|inc|phtml)$/', $path) || str_contains($path, '/vendor/') || $path === "$root/truth.php") {
        continue;
    }
    $tree = (new PhpParser\ParserFactory)->create(PhpParser\ParserFactory::PREFER_PHP7)->parse(file_get_contents($path));
    $walk = new PhpParser\NodeTraverser;
    $walk->addVisitor(new PhpParser\NodeVisitor\NameResolver);
    $tree = $walk->traverse($tree);
    $find = new PhpParser\NodeFinder;
    foreach ($find->findInstanceOf($tree, Stmt\Function_::class) as $each) {
        $functions[$each->namespacedName->toString()] = realpath($path);
    }
    foreach ($find->findInstanceOf($tree, Node\Const_::class) as $each) {
        $constants[(string) $each->namespacedName] = realpath($path);
    }
    $names[realpath($path)] = [
        ...$find->findInstanceOf($tree, Node\Name::class),
        ...$find->findInstanceOf($tree, Stmt\UseUse::class),
    ];
}
$truth = [];
foreach ($names as $path => $nodes) {
    $found = [];
    foreach ($nodes as $node) {
        $tries = [$node instanceof Stmt\UseUse ? $node->name->toString() : $node->toString()];
        if ($node instanceof Node\Name && $node->hasAttribute('namespacedName')) {
            array_unshift($tries, $node->getAttribute('namespacedName')->toString());
        } elseif ($node instanceof Node\Name && !$node instanceof Node\Name\FullyQualified) {
            continue;
        }
        foreach ($tries as $name) {
            $target = $classes[$name] ?? $functions[$name] ?? $constants[$name] ?? null;
            if ($target !== null) {
                $found[] = substr($target, strlen(realpath($root)) + 1);
                break;
            }
        }
    }
    $found = array_values(array_diff(array_unique($found), [substr($path, strlen(realpath($root)) + 1)]));
    sort($found);
    $truth[substr($path, strlen(realpath($root)) + 1)] = $found;
}
ksort($truth);
echo json_encode($truth, JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES), "\n";
