export type DemoMerchant = {
  merchantId: string;
  owner: { email: string; password: string };
  sandbox: { apiToken: string; webhookSecret: string };
  production: { apiToken: string; webhookSecret: string };
};
