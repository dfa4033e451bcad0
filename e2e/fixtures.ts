import { test as base } from '@playwright/test';
import { type GatewayUnderTest, gatewayUnderTest } from './gateway.ts';

/** Journeys run against the gateway that the global setup started. */
export const test = base.extend<{ gateway: GatewayUnderTest }>({
  gateway: ({ browserName: _ }, use) => use(gatewayUnderTest()),
  baseURL: ({ gateway }, use) => use(gateway.origin),
});
