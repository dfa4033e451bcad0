import { existsSync } from 'node:fs';
import { startGateway } from './gateway.ts';

/** Playwright calls the returned function after all tests. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  if (!existsSync('.next/BUILD_ID')) {
    throw new Error('The journeys need a production build: npm run build');
  }
  return await startGateway();
}
