# views.py of a Django app. In urls.py: path("callback", views.callback)
# In the environment: WEBHOOK_SECRET=whsec_…
import base64
import hashlib
import hmac
import json
import os
import re
import time

from django.http import HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

SECRET = re.sub("^whsec_", "", os.environ.get("WEBHOOK_SECRET", "").strip())
# Anybody can sign with an empty key.
if not re.fullmatch("[A-Za-z0-9+/]+=*", SECRET):
    raise ValueError("WEBHOOK_SECRET is empty or no base64")
KEY = base64.b64decode(SECRET)
TOLERANCE_S = 300


# Standard Webhooks: HMAC-SHA256 of id.timestamp.body, over the body's raw bytes.
def is_genuine(headers, raw_body):
    timestamp = headers.get("webhook-timestamp", "")
    if not re.fullmatch("[0-9]{1,12}", timestamp):
        return False
    if abs(time.time() - int(timestamp)) > TOLERANCE_S:
        return False
    signed = f"{headers.get('webhook-id', '')}.{timestamp}.".encode() + raw_body
    digest = hmac.new(KEY, signed, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    # Two signatures during a rotation of the secret: one of them must be right.
    given = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(each.encode(), expected) for each in given)


# The gateway has no form token of yours; the signature says that it is genuine.
@csrf_exempt
@require_POST
def callback(request):
    raw_body = request.body  # the bytes as they came, read before request.POST
    if not is_genuine(request.headers, raw_body):
        return HttpResponse(status=401)
    invoice = json.loads(raw_body)
    # Handle each webhook-id once; compare amount and currency with your order;
    # release the goods only on status 2 (PAID).
    order = invoice["merchant_transaction_id"]
    print(request.headers["webhook-id"], order, invoice["status"])
    return JsonResponse({"success": True})
