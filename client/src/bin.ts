#!/usr/bin/env node
import { explain, runCommand } from './command.ts';

// `npx --no-install payment-gateway-client listen …`

/** npx may pass on a Ctrl-C that the terminal also sends: both come within milliseconds. */
const ECHO_MS = 500;

const controller = new AbortController();
let beganAtMs: number | undefined;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    beganAtMs ??= performance.now();
    if (performance.now() - beganAtMs > ECHO_MS) process.exit(1);
    controller.abort();
  });
}

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
