# Serves a Python sample for its test: python3 host.py fastapi|django|core FILE PORT
#
# With the framework in its place the sample runs as it stands. `core` is for machines without it:
# the sample's own verification runs, and what belongs to the framework is only parsed.
import ast
import asyncio
import importlib.util
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

kind, file, port = sys.argv[1], sys.argv[2], int(sys.argv[3])


def load():
    spec = importlib.util.spec_from_file_location("sample", file)
    module = importlib.util.module_from_spec(spec)
    sys.modules["sample"] = module
    spec.loader.exec_module(module)
    return module


def serve(answer):
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            status, text = answer(self.headers, body)
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *_):
            pass

    ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()


def serve_fastapi():
    app = load().app

    def answer(headers, body):
        sent = []
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "POST",
            "scheme": "http",
            "path": "/callback",
            "raw_path": b"/callback",
            "root_path": "",
            "query_string": b"",
            "headers": [(name.lower().encode(), value.encode()) for name, value in headers.items()],
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", port),
        }

        async def receive():
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message):
            sent.append(message)

        asyncio.run(app(scope, receive, send))
        return sent[0]["status"], b"".join(each.get("body", b"") for each in sent[1:])

    serve(answer)


def serve_django():
    from wsgiref.simple_server import WSGIRequestHandler, make_server

    from django.conf import settings

    settings.configure(
        SECRET_KEY="of the test",
        ALLOWED_HOSTS=["*"],
        ROOT_URLCONF="addresses",
        MIDDLEWARE=["django.middleware.csrf.CsrfViewMiddleware"],
    )
    import types

    from django.core.wsgi import get_wsgi_application
    from django.urls import path

    addresses = types.ModuleType("addresses")
    addresses.urlpatterns = [path("callback", load().callback)]
    sys.modules["addresses"] = addresses

    class Quiet(WSGIRequestHandler):
        def log_message(self, *_):
            pass

    application = get_wsgi_application()
    make_server("127.0.0.1", port, application, handler_class=Quiet).serve_forever()


def is_core(node):
    if isinstance(node, (ast.Import, ast.Assign)):
        return not (isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "app")
    return isinstance(node, ast.FunctionDef) and node.name == "is_genuine"


def serve_core():
    with open(file, encoding="utf-8") as source:
        tree = ast.parse(source.read(), file)
    tree.body = [node for node in tree.body if is_core(node)]
    names = {}
    exec(compile(tree, file, "exec"), names)

    def answer(headers, body):
        if not names["is_genuine"](headers, body):
            return 401, b""
        print(headers["webhook-id"], flush=True)
        return 200, b'{"success": true}'

    serve(answer)


{"fastapi": serve_fastapi, "django": serve_django, "core": serve_core}[kind]()
