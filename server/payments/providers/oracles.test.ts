import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { toDecimalString } from '../../lib/money.ts';
import { childEnvironment, projectRoot } from '../../settings/settings.ts';
import { ClickDriver } from '../../testing/acquirers/click.ts';
import { PaymeCalls } from '../../testing/acquirers/payme-calls.ts';
import { providePythonPackages } from '../../testing/samples/python-packages.ts';
import { clickLink, isSigned, parseClickCall } from './click/protocol.ts';
import { callbackSignature } from './multicard/multicard.ts';
import { paymeLink } from './payme/link.ts';
import { isAuthorised } from './payme/protocol.ts';

// Packages that merchants use with these acquirers make links and check signatures by code of their
// own. Multicard's formula is also that of its documentation; the package is no proof by itself.

const besideStandIns = (name: string) =>
  path.join(projectRoot(), 'server', 'testing', 'acquirers', name);
const packages = await providePythonPackages(besideStandIns('requirements-oracles.txt'));
const unless = packages.missing ? ` (not run: ${packages.missing})` : '';

const KASSA = {
  merchant_id: '587f72c72cac0d162c722ae2',
  key: 'a key of 36 characters',
  field: 'order_id',
};
const SERVICE = { service_id: '12345', merchant_id: '777', secret_key: 'secret_key_123' };
const SECRET = 'sec';
const RETURN_URL = 'https://pay.example.com/pay/inv_1/return?a=b';
const AMOUNTS = [100n, 3_313_900n, 150_000n, 3_313_975n, 99_999_900n];
const ORDERS = AMOUNTS.map((amountMinor, index) => ({ amountMinor, invoiceId: `inv_${index}` }));
const STORES = [
  { store_id: 6, invoice_id: 'inv_01', amount: 150_000 },
  { store_id: '0f8fad5b-d9cb-469f-a165-70867728950e', invoice_id: 'inv_2', amount: 1 },
];

type ByPackage<T> = Record<string, T>;
type Verdicts = {
  payme_links: ByPackage<string>[];
  click_links: ByPackage<string>[];
  payme_header: string;
  payme_headers: ByPackage<boolean>[];
  click_calls: ByPackage<boolean>[];
  multicard_signs: string[];
};

/** Basic headers as Payme sends them: by the kassa's key and by another. */
async function paymeHeaders(): Promise<string[]> {
  const headers: string[] = [];
  const calls = new PaymeCalls(
    async (body, authorization) => {
      headers.push(authorization);
      return JSON.stringify({ ...JSON.parse(body), result: {} });
    },
    { key: KASSA.key, clock: () => new Date() },
  );
  await calls.call('CheckTransaction', {});
  await calls.call('CheckTransaction', {}, `${KASSA.key}x`);
  return headers;
}

/** Forms of both calls of Click, signed rightly and with one signed text changed. */
async function clickForms(): Promise<string[]> {
  const forms: string[] = [];
  const driver = new ClickDriver(
    async (body) => {
      forms.push(body);
      return '{}';
    },
    { serviceId: SERVICE.service_id, secretKey: SERVICE.secret_key },
  );
  for (const amount of ['1000', '1000.0', '1000.00', '33139.73']) {
    const order = { invoiceId: 'inv_01', amount };
    await driver.prepare(driver.newPayment(), order);
    await driver.complete(driver.newPayment(), order, { prepareId: '777' });
  }
  return [...forms, ...forms.map((form) => form.replace(/amount=1?/, 'amount=9'))];
}

const [headers, forms] = await Promise.all([paymeHeaders(), clickForms()]);

let asked: Verdicts | undefined;
function verdicts(): Verdicts {
  const input = JSON.stringify({
    orders: ORDERS.map(({ amountMinor, invoiceId }) => ({
      invoice_id: invoiceId,
      soums: toDecimalString(amountMinor, 'UZS'),
      return_url: RETURN_URL,
    })),
    payme: { ...KASSA, headers },
    click: {
      ...SERVICE,
      calls: forms.map((form) => Object.fromEntries(new URLSearchParams(form))),
    },
    multicard: { secret: SECRET, calls: STORES },
  });
  const env = childEnvironment({ PYTHONPATH: packages.folder, PYTHONDONTWRITEBYTECODE: '1' });
  asked ??= JSON.parse(
    execFileSync('python3', [besideStandIns('oracles.py')], {
      input,
      env,
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'ignore'],
    }),
  );
  return asked as Verdicts;
}

const runIf = test.runIf(!packages.missing);

runIf(`payme-pkg, paytechuz and tolov make the same link to Payme${unless}`, () => {
  const { payme_links: links } = verdicts();
  const whole = ['payme-pkg', 'paytechuz', 'tolov'];
  for (const [index, { amountMinor, invoiceId }] of ORDERS.entries()) {
    const ours = paymeLink('https://checkout.paycom.uz', {
      merchantId: KASSA.merchant_id,
      accountField: KASSA.field,
      invoiceId,
      amountMinor,
      locale: 'uz',
      returnUrl: RETURN_URL,
    });
    const theirs = links[index] ?? {};
    expect(Object.keys(theirs).sort()).toEqual(
      amountMinor % 100n === 0n ? whole : ['paytechuz', 'tolov'],
    );
    for (const link of Object.values(theirs)) {
      const [origin, encoded = ''] = link.split(/(?<=uz\/)/);
      // The packages leave the language to Payme.
      const text = Buffer.from(encoded, 'base64').toString().replace(';c=', ';l=uz;c=');
      expect(`${origin}${Buffer.from(text).toString('base64')}`).toBe(ours);
    }
  }
});

runIf(`paytechuz and tolov make the same link to Click${unless}`, () => {
  const { click_links: links } = verdicts();
  for (const [index, { amountMinor, invoiceId }] of ORDERS.entries()) {
    const ours = clickLink('https://my.click.uz/services/pay', {
      serviceId: SERVICE.service_id,
      merchantId: SERVICE.merchant_id,
      invoiceId,
      amount: toDecimalString(amountMinor, 'UZS'),
      returnUrl: RETURN_URL,
    });
    const theirs = Object.values(links[index] ?? {});
    expect(theirs).toHaveLength(2);
    for (const link of theirs) expect(partsOf(link)).toEqual(partsOf(ours));
  }
});

runIf(`payme-pkg, paytechuz and tolov let in whom the hook lets in${unless}`, () => {
  const { payme_header: theirs, payme_headers: letIn } = verdicts();
  expect(isAuthorised(theirs, KASSA.key)).toBe(true);
  const ours = headers.map((header) => isAuthorised(header, KASSA.key));
  expect(ours).toEqual([true, false]);
  const all = (isLetIn: boolean) => ({ 'payme-pkg': isLetIn, paytechuz: isLetIn, tolov: isLetIn });
  expect(letIn).toEqual(ours.map(all));
});

runIf(`paytechuz and tolov find Click’s calls signed that the hook does${unless}`, () => {
  const ours = forms.map((form) =>
    isSigned(parseClickCall(Buffer.from(form)).call, SERVICE.secret_key),
  );
  expect(ours.filter(Boolean)).toHaveLength(forms.length / 2);
  const both = (isLetIn: boolean) => ({ paytechuz: isLetIn, tolov: isLetIn });
  expect(verdicts().click_calls).toEqual(ours.map(both));
});

runIf(`tolov signs Multicard’s callback alike${unless}`, () => {
  const ours = STORES.map(({ store_id, invoice_id, amount }) =>
    callbackSignature(
      { storeId: String(store_id), invoiceId: invoice_id, amount: String(amount) },
      SECRET,
    ),
  );
  expect(verdicts().multicard_signs).toEqual(ours);
});

function partsOf(link: string) {
  const { origin, pathname, searchParams } = new URL(link);
  return [origin + pathname, ...searchParams];
}
