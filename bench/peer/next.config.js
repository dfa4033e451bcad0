import { fileURLToPath } from 'node:url';

// The dependencies and the generated client are two folders up.
const root = fileURLToPath(new URL('../..', import.meta.url));

/** @type {import('next').NextConfig} */
export default {
  agentRules: false,
  experimental: { agentUpgrade: false },
  poweredByHeader: false,
  turbopack: { root },
  outputFileTracingRoot: root,
  typescript: { ignoreBuildErrors: true },
};
