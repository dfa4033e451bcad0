import { test as base } from '@playwright/test';
import { ZONE_COOKIE } from '#app/dashboard/_shared/lists/zone-name.ts';
import { type GatewayUnderTest, gatewayUnderTest } from './gateway.ts';

/**
 * Journeys run against the gateway that the global setup started. Its browser has told its zone
 * before: otherwise the first page of the dashboard is read anew at a moment that no test knows.
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
