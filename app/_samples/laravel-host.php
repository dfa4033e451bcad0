<?php
// Answers with the sample for Laravel: SAMPLE=receive-laravel.php php -S 127.0.0.1:PORT laravel-host.php
// The sample runs as it stands. What it names of Laravel is here in a few lines, because Laravel
// itself comes from nowhere that npm or pip reaches.
namespace Illuminate\Http {
    final class Request
    {
        public function getContent(): string
        {
            return file_get_contents('php://input');
        }

        public function header(string $name, string $default): string
        {
            return $_SERVER['HTTP_' . strtoupper(strtr($name, '-', '_'))] ?? $default;
        }
    }
}

namespace Illuminate\Support\Facades {
    final class Route
    {
        public static array $posts = [];

        public static function post(string $path, callable $action): void
        {
            self::$posts[$path] = $action;
        }
    }

    final class Log
    {
        public static function info(string $line): void
        {
            error_log($line);
        }
    }
}

namespace {
    final class Collection
    {
        public function __construct(private array $items)
        {
        }

        public function contains(callable $test): bool
        {
            return array_filter($this->items, $test) !== [];
        }
    }

    final class Responses
    {
        public function noContent(int $status): array
        {
            return [$status, ''];
        }

        public function json(array $data): array
        {
            return [200, json_encode($data)];
        }
    }

    function config(string $name): ?string
    {
        // Unset, Laravel's env() gives null.
        $secret = getenv('WEBHOOK_SECRET');
        return $name === 'services.gateway.secret' && $secret !== false ? $secret : null;
    }

    function throw_unless(mixed $condition, string $message): void
    {
        if (!$condition) {
            error_log($message);
            http_response_code(500);
            exit;
        }
    }

    function collect(array $items): Collection
    {
        return new Collection($items);
    }

    function response(): Responses
    {
        return new Responses();
    }

    require getenv('SAMPLE');
    $action = Illuminate\Support\Facades\Route::$posts[parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH)];
    [$status, $text] = $action(new Illuminate\Http\Request());
    http_response_code($status);
    header('Content-Type: application/json');
    echo $text;
}
