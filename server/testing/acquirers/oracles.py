"""What packages of others make of the values that come as JSON on standard input."""

import json
import sys
from decimal import Decimal
from types import SimpleNamespace
from unittest.mock import MagicMock

# Nothing is called and nothing logged, so what does that need not be installed.
for name in ("requests", "requests.exceptions", "httpx", "loguru"):
    sys.modules[name] = MagicMock()

import django
from django.apps import AppConfig
from django.conf import settings

given = json.load(sys.stdin)
kassa, service, store = given["payme"], given["click"], given["multicard"]
# The packages look up their users' model at once, and use it for nothing that is asked here.
MODEL = "decimal.Decimal"


class Paytechuz(AppConfig):
    name = "paytechuz.integrations.django"
    label = "paytechuz"


class Tolov(AppConfig):
    name = "tolov.integrations.django"
    label = "tolov"


both = {
    "PAYME": {"PAYME_KEY": kassa["key"], "ACCOUNT_MODEL": MODEL},
    "CLICK": {
        "SERVICE_ID": service["service_id"],
        "SECRET_KEY": service["secret_key"],
        "ACCOUNT_MODEL": MODEL,
    },
    "MULTICARD": {"SECRET": store["secret"]},
}
settings.configure(
    INSTALLED_APPS=["django.contrib.contenttypes", "payme", "__main__.Paytechuz", "__main__.Tolov"],
    PAYME_ID=kassa["merchant_id"],
    PAYME_KEY=kassa["key"],
    PAYME_ACCOUNT_FIELD=kassa["field"],
    PAYME_ACCOUNT_MODEL=MODEL,
    PAYTECHUZ=both,
    TOLOV=both,
)
django.setup()

from payme.classes.initializer import Initializer
from payme.views.base import BasePaymeWebHookAPIView
from paytechuz.core.utils import generate_basic_auth
from paytechuz.gateways.click.client import ClickGateway as PaytechuzClick
from paytechuz.gateways.payme.client import PaymeGateway as PaytechuzPayme
from paytechuz.integrations.django.webhooks.click import ClickWebhook as PaytechuzClickHook
from paytechuz.integrations.django.webhooks.payme import PaymeWebhook as PaytechuzPaymeHook
from tolov.gateways.click.internal import ClickGatewayInternal as TolovClick
from tolov.gateways.payme.internal import PaymeGatewayInternal as TolovPayme
from tolov.integrations.django.internal_webhooks.click import ClickWebhook as TolovClickHook
from tolov.integrations.django.internal_webhooks.multicard import MulticardWebhook
from tolov.integrations.django.internal_webhooks.payme import PaymeWebhook as TolovPaymeHook


def lets_in(check, value):
    """Whether a package's own check of a call passes."""
    try:
        check(value)
        return True
    except Exception as error:
        if type(error).__name__ != "PermissionDenied":
            raise
        return False


def payme_links(order):
    account, soums, back = order["invoice_id"], order["soums"], order["return_url"]
    kassa_id, field = kassa["merchant_id"], kassa["field"]
    tolov = TolovPayme(kassa_id, None, None, False, None, None, None)
    links = {
        "paytechuz": PaytechuzPayme(kassa_id).generate_pay_link(account, soums, back, field),
        "tolov": tolov.generate_pay_link(account, soums, back, field),
    }
    if Decimal(soums) == int(Decimal(soums)):
        # It takes whole soums alone.
        whole = int(Decimal(soums))
        links["payme-pkg"] = Initializer(kassa_id).generate_pay_link(account, whole, back)
    return links


def click_links(order):
    account, soums, back = order["invoice_id"], order["soums"], order["return_url"]
    service_id, merchant_id = service["service_id"], service["merchant_id"]
    tolov = TolovClick(service_id, merchant_id, None, None, False, None, None)
    return {
        "paytechuz": PaytechuzClick(service_id, merchant_id).create_payment(
            account, soums, return_url=back
        ),
        "tolov": tolov.create_payment(account, soums, return_url=back),
    }


def payme_headers(header):
    request = SimpleNamespace(META={"HTTP_AUTHORIZATION": header})
    return {
        "payme-pkg": lets_in(BasePaymeWebHookAPIView.check_authorize, request),
        "paytechuz": lets_in(PaytechuzPaymeHook()._check_auth, request),
        "tolov": lets_in(TolovPaymeHook()._check_auth, request),
    }


def click_calls(form):
    return {
        "paytechuz": lets_in(PaytechuzClickHook()._check_auth, form),
        "tolov": lets_in(TolovClickHook()._check_auth, form),
    }


json.dump(
    {
        "payme_links": [payme_links(order) for order in given["orders"]],
        "click_links": [click_links(order) for order in given["orders"]],
        "payme_header": generate_basic_auth("Paycom", kassa["key"]),
        "payme_headers": [payme_headers(header) for header in kassa["headers"]],
        "click_calls": [click_calls(form) for form in service["calls"]],
        "multicard_signs": [MulticardWebhook()._expected_sign(call) for call in store["calls"]],
    },
    sys.stdout,
)
