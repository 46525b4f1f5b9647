<p>function notThis() {}, don't</p>
<?php
# function commented() {}
namespace App;

abstract class User implements JsonSerializable
{
    public function getName(): string { return 'function fake() {'; }
    private static function &find(int $id) {
        return new class { };
    }
}

interface HasName {}
trait Greets { function hello() { echo <<<EOT
function inHeredoc() {}
EOT; } }

function helper() { return User::class; }
?>
<b>class NotThisEither {}</b>
