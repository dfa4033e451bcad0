import { describe, expect, it } from 'vitest';
import { importFaults } from './imports.ts';

function faultsOf(files: Record<string, string>): string[] {
  return importFaults(new Map(Object.entries(files)));
}

describe('import table', () => {
  it('lets through what the table allows', () => {
    const faults = faultsOf({
      'server/lib/money.ts': 'export const a = 1;',
      'server/invoices/types.ts': "import type { a } from '../lib/money.ts';",
      'server/rest/endpoints/create-invoice.ts': "import { x } from '../../invoices/types.ts';",
      'app/api/[environment]/invoice/create/route.ts':
        "export { x } from '#server/rest/endpoints/create-invoice.ts';",
    });
    expect(faults).toEqual([]);
  });

  const refused: [outcome: string, file: string, source: string, fault: RegExp][] = [
    [
      'a route that reaches past the handler',
      'app/api/[environment]/invoice/create/route.ts',
      "import { x } from '#server/invoices/create.ts';",
      /:1: app may not import server\/invoices\/create.ts/,
    ],
    [
      'callbacks that know invoices',
      'server/callbacks/queue/deliver.ts',
      "import { x } from '../../invoices/create.ts';",
      /may not import server\/invoices\/create.ts/,
    ],
    [
      'rest that borrows from trpc, by a dynamic import',
      'server/rest/handler.ts',
      "\nexport const x = await import('../trpc/root.ts');",
      /handler.ts:2: server\/rest may not import server\/trpc\/root.ts/,
    ],
    [
      'a type taken across, by a re-export',
      'server/wire/envelope.ts',
      "export type { X } from '../invoices/create.ts';",
      /server\/wire may not import/,
    ],
    [
      'zod in the domain',
      'server/invoices/create.ts',
      "import { z } from 'zod/v4';",
      /server\/invoices may not import zod/,
    ],
    [
      'a leaf that imports',
      'server/lib/money.ts',
      "import { x } from '../db/pool.ts';",
      /server\/lib may not import/,
    ],
    [
      'a tenant made where nobody was authenticated',
      'server/rest/handler.ts',
      "import { grantTenant } from '../merchants/tenant.ts';",
      /only a gate/,
    ],
    ['a folder that nobody decided on', 'server/extras/x.ts', '', /no entry of the import table/],
  ];
  it.each(refused)('refuses %s', (_outcome, file, source, fault) => {
    expect(faultsOf({ [file]: source })).toEqual([expect.stringMatching(fault)]);
  });

  it('lets the payment page’s loader call the domain, and no neighbour of it', () => {
    const source = "import { x } from '#server/payments/pay.ts';";
    expect(faultsOf({ 'app/pay/[invoiceId]/loader.ts': source })).toEqual([]);
    expect(faultsOf({ 'app/pay/[invoiceId]/page.tsx': source })).toHaveLength(1);
  });

  it('throws when a file cannot be parsed, since an unread file would pass', () => {
    expect(() => faultsOf({ 'server/lib/a.ts': 'const = ;' })).toThrow(/cannot be parsed/);
  });
});
