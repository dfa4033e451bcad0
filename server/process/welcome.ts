import type { DemoMerchant } from './demo-merchant.ts';

const CALLBACK_URL = 'http://localhost:4000/callback';
const CHANGED = 'changed since; create a new one in the dashboard, under Developers';

/**
 * What a person needs first: addresses, the demo merchant's credentials, and a command that creates
 * an invoice each time it is pasted.
 */
export function welcome(publicUrl: string, demo: DemoMerchant | null): string {
  const lines = [
    '',
    'The gateway is running. Press Ctrl-C to stop it.',
    '',
    `  Sandbox      ${publicUrl}/api/sandbox`,
    `  Production   ${publicUrl}/api/production`,
    `  Dashboard    ${publicUrl}/dashboard`,
    `  Docs         ${publicUrl}/docs`,
    `  OpenAPI      ${publicUrl}/api/openapi.json`,
    '',
  ];
  if (!demo) {
    lines.push('Connect a merchant: npm run gateway -- merchant create --help', '');
    return lines.join('\n');
  }
  const password = `(password changed since; reset it at ${publicUrl}/dashboard/forgot-password)`;
  lines.push(
    `  Demo merchant        ${demo.merchantId}`,
    `  Dashboard login      ${demo.owner.email}  ${demo.owner.password ?? password}`,
    `  Sandbox token        ${demo.sandbox.apiToken ?? CHANGED}`,
    `  Sandbox secret       ${demo.sandbox.webhookSecret ?? CHANGED}`,
    `  Production token     ${demo.production.apiToken ?? CHANGED}`,
    `  Production secret    ${demo.production.webhookSecret ?? CHANGED}`,
    '',
    demo.sandbox.apiToken ? 'Create an invoice:' : 'Create an invoice, with your own token:',
    '',
    curl(publicUrl, demo),
    '',
    'Open the invoice_url from the answer in a browser to pay.',
    '',
  );
  return lines.join('\n');
}

/** Works in sh, bash and zsh: the shell makes a new transaction id and an end in an hour. */
function curl(publicUrl: string, demo: DemoMerchant): string {
  const body = [
    `"amount": 1500, "currency": "USD", "description": "A demo order",`,
    `"end_date": $(( ($(date +%s) + 3600) * 1000 )),`,
    `"positions": [{"title": "Coffee beans", "amount": 1500, "currency": "USD"}],`,
    `"merchant_transaction_id": "order-$(date +%s%N)",`,
    `"success_url": "https://example.com/thanks", "error_url": "https://example.com/cart",`,
    `"callback_url": "${CALLBACK_URL}", "merchant_data": {"cart": "42"}`,
  ];
  return [
    `curl -s ${publicUrl}/api/sandbox/invoice/create \\`,
    `  -H 'Authorization: Bearer ${demo.sandbox.apiToken ?? 'gw_sandbox_…'}' \\`,
    `  -H 'X-Merchant: ${demo.merchantId}' \\`,
    `  -H 'Content-Type: application/json' \\`,
    '  --data-binary @- <<END',
    `{ ${body.join('\n  ')} }`,
    'END',
  ].join('\n');
}
