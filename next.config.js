/** @type {import('next').NextConfig} */
export default {
  agentRules: false,
  experimental: { agentUpgrade: false },
  poweredByHeader: false,
};
