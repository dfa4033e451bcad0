# For machines without the framework: serves what a Python sample verifies by, and leaves out the
# lines that are the framework's. python3 verification.py FILE PORT
import ast
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

file, port = sys.argv[1], int(sys.argv[2])


def is_of_the_framework(node):
    if isinstance(node, ast.ImportFrom):
        return True
    if isinstance(node, ast.Assign):
        return node.targets[0].id == "app"
    return isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == "callback"


with open(file, encoding="utf-8") as source:
    tree = ast.parse(source.read(), file)
tree.body = [node for node in tree.body if not is_of_the_framework(node)]
names = {}
exec(compile(tree, file, "exec"), names)


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        genuine = names["is_genuine"](self.headers, body)
        self.send_response(200 if genuine else 401)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(b'{"success": true}' if genuine else b"")

    def log_message(self, *_):
        pass


ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()
