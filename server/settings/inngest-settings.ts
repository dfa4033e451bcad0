import { SettingError } from '../lib/errors.ts';

/**
 * Anybody who can call an unsigned `/api/inngest` can run our jobs, and Inngest takes no event
 * without keys.
 */
export function assertInngestIsSigned(
  dev: string | undefined,
  keys: { [setting: string]: string | undefined },
): void {
  if (!['0', 'false', undefined].includes(dev?.toLowerCase())) {
    throw new SettingError(
      'The setting INNGEST_DEV must not be set in production: it switches signature checks off.',
    );
  }
  for (const [setting, key] of Object.entries(keys)) {
    if (key !== undefined) continue;
    throw new SettingError(
      `The setting ${setting} must be set when JOBS_DRIVER is inngest in production.`,
    );
  }
}
