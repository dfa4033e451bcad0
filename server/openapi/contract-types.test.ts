import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { projectRoot } from '../settings/settings.ts';
import { contractTypes } from './contract-types.ts';
import { openApiDocument } from './openapi.ts';

const FILE = `${projectRoot()}/client/src/contract.ts`;

// After a change of the contract: `npx vitest run server/openapi/contract-types.test.ts -u`
test('the client’s types are those of the OpenAPI document', async () => {
  const text = contractTypes(openApiDocument('https://pay.example'));
  await expect(text).toMatchFileSnapshot(FILE);
});

test('a closed list of codes is a union, an optional field may be left out or null', async () => {
  const text = await readFile(FILE, 'utf8');
  expect(text).toContain('status: 1 | 2 | 3 | 4;');
  expect(text).toContain("currency: 'USD' | 'EUR' | 'RUB' | 'UZS';");
  expect(text).toContain('merchant_data?: { [key: string]: unknown } | null;');
  expect(text).not.toContain('unknown;');
});
