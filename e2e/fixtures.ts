import { test as base } from '@playwright/test';
import { ZONE_COOKIE } from '#app/dashboard/_shared/lists/zone-name.ts';
import { type GatewayUnderTest, gatewayUnderTest } from './gateway.ts';

/**
 * Journeys run against the global setup's gateway. The browser has already reported its zone:
 * otherwise the first dashboard page would be rendered anew at an unpredictable moment.
 */
export const test = base.extend<{ gateway: GatewayUnderTest }>({
  gateway: ({ browserName: _ }, use) => use(gatewayUnderTest()),
  context: async ({ context, gateway, timezoneId }, use) => {
    await context.addCookies([
      { name: ZONE_COOKIE, value: encodeURIComponent(timezoneId ?? 'UTC'), url: gateway.origin },
    ]);
    await use(context);
  },
  baseURL: ({ gateway }, use) => use(gateway.origin),
});
