import { existsSync } from 'node:fs';
import { startGateway } from './gateway.ts';

/** Playwright calls what is returned when all tests are over. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  if (!existsSync('.next/BUILD_ID')) {
    throw new Error('The journeys need a production build: npm run build');
  }
  return await startGateway();
}
