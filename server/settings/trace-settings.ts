import { SettingError } from '../lib/errors.ts';

/** How spans are sent, over HTTP; null sends none. */
export type TraceSettings = 'http/protobuf' | 'http/json' | null;

const ADDRESSES = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'];

/** OpenTelemetry would send spans nowhere, or to this machine, and barely report it. */
function assertHttpUrl(name: string, value: string | undefined): void {
  if (value === undefined || (/^https?:\/\//i.test(value) && URL.canParse(value))) return;
  // The value itself stays out of the message: it may hold a password.
  throw new SettingError(`The setting ${name} must be a URL like http://collector:4318.`);
}

/**
 * Reads whether and how traces are sent, from OpenTelemetry's own variables. A collector's address,
 * or `OTEL_TRACES_EXPORTER=otlp` for the collector on this machine, switches them on;
 * `OTEL_SDK_DISABLED=true` and `OTEL_TRACES_EXPORTER=none` switch them off. OpenTelemetry itself
 * reads all other OTEL_ variables.
 *
 * @throws SettingError that names the variable and what it must be
 */
export function parseTraceSettings(read: (name: string) => string | undefined): TraceSettings {
  if (read('OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return null;
  const exporter = read('OTEL_TRACES_EXPORTER')?.toLowerCase();
  const hasAddress = ADDRESSES.some((name) => read(name) !== undefined);
  const isWanted = exporter === 'otlp' || (exporter === undefined && hasAddress);
  if (exporter !== undefined && exporter !== 'otlp' && exporter !== 'none') {
    const demand = '"otlp" or "none"';
    throw new SettingError(
      `The setting OTEL_TRACES_EXPORTER must be ${demand}, but is "${exporter}".`,
    );
  }
  if (!isWanted) return null;
  for (const name of ADDRESSES) assertHttpUrl(name, read(name));
  for (const name of ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL']) {
    const protocol = read(name);
    if (protocol === undefined) continue;
    if (protocol === 'http/protobuf' || protocol === 'http/json') return protocol;
    const demand = '"http/protobuf" or "http/json"';
    throw new SettingError(`The setting ${name} must be ${demand}, but is "${protocol}".`);
  }
  return 'http/protobuf';
}
