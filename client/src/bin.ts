#!/usr/bin/env node
import { explain, runCommand } from './command.ts';

// `npx payment-gateway-client listen …`

const controller = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort());

const { GATEWAY_BASE_URL, GATEWAY_MERCHANT_ID, GATEWAY_TOKEN } = process.env;

try {
  await runCommand(process.argv.slice(2), {
    print: (text) => process.stdout.write(`${text}\n`),
    defaults: { baseUrl: GATEWAY_BASE_URL, merchantId: GATEWAY_MERCHANT_ID, token: GATEWAY_TOKEN },
    signal: controller.signal,
  });
} catch (error) {
  process.stderr.write(`error: ${explain(error)}\n`);
  process.exitCode = 1;
}
