/* SPDX-License-Identifier: MIT */
/*
 * The built-in rules.  If two match the same bytes, the longer match wins, then
 * the earlier row, so rules for one provider precede general ones.  A new row
 * needs vectors in tests/data/redact/vectors.txt.
 */
#include "redact/redact_rules.h"

#define END	"(?![A-Za-z0-9])"	/* the token does not continue */
#define UUID	"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"
/* Between a key and its value: quotes, a type, the sign, in many languages. */
#define IS \
	"[A-Za-z0-9_.-]{0,14}(?:>|\\\\*[\"'`\\])]{0,3}\\??[ \\t]{0,8}" \
	"(?::[ \\t]{0,4}[A-Za-z][A-Za-z0-9_.\\[\\]| ]{0,30}=[ \\t]{0,4}|" \
	"(?:\\?\\?=|\\|\\|=|:=|=>|={1,3}|:|\xef\xbc\x9a)[ \\t]{0,8}))" \
	"\\\\*(?:[rbf]?[\"'`])?"
/* The key is not the name, address, kind or size of a secret. */
#define NOT_META \
	"(?![\\w.-]{0,20}(?:id|name|ur[il]|type|file|path|hash|arn|count|" \
	"length|size|limit|usage|version|endpoint|expir\\w*|ttl)\\W)"

#define GITHUB	"https://docs.github.com/en/code-security/secret-scanning/" \
	"introduction/supported-secret-scanning-patterns"

#define B	CTX_REDACT_BORDER
#define A	CTX_REDACT_ASSIGN
#define F	CTX_REDACT_FIXED

const struct ctx_redact_rule ctx_redact_rules[] = {
/*
 * Keys of model providers.
 */
{ "anthropic-api-key", "Anthropic API, admin or OAuth key",
    "https://docs.anthropic.com/en/api/getting-started", "sk-ant-",
    "sk-ant-[a-z]{2,10}[0-9]{2}-[A-Za-z0-9_-]{40,200}", 0, B, 3.5f, NULL },
{ "openrouter-api-key", "OpenRouter key",
    "https://openrouter.ai/docs/api-reference/authentication", "sk-or-v1-",
    "sk-or-v1-[0-9a-f]{64}" END, 0, B, 2.5f, NULL },
{ "langfuse-secret-key", "Langfuse secret key",
    "https://langfuse.com/docs/api-and-data-platform/features/public-api",
    "sk-lf-", "sk-lf-" UUID END, 0, B, 2.5f, NULL },
{ "openai-api-key", "OpenAI project, service account, admin or old key",
    "https://platform.openai.com/docs/api-reference/authentication",
    "sk-proj- sk-svcacct- sk-admin- t3blbkfj",
    "sk-(?:(?:proj|svcacct|admin)-[A-Za-z0-9_-]{40,200}|"
    "[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}" END ")", 24, B, 3.5f, NULL },
{ "sk-api-key", "sk- key of a service with OpenAI's interface (DeepSeek, "
    "Moonshot, DashScope, Stability AI)",
    "https://api-docs.deepseek.com/", "sk-",
    "sk-(?=[A-Za-z]{0,40}[0-9])[A-Za-z0-9]{32,64}" END, 0, B, 3.0f, NULL },
{ "google-api-key", "Google API key (Gemini, Maps, Firebase)",
    "https://cloud.google.com/docs/authentication/api-keys", "AIza",
    "AIza[A-Za-z0-9_-]{35}" END, 0, B, 3.5f, NULL },
{ "groq-api-key", "Groq key", "https://console.groq.com/docs/quickstart",
    "gsk_", "gsk_[A-Za-z0-9]{52}" END, 0, B, 3.5f, NULL },
{ "huggingface-token", "Hugging Face user or organization token",
    "https://huggingface.co/docs/hub/security-tokens", "hf_ api_org_",
    "(?:hf_|api_org_)[A-Za-z0-9]{34}" END, 0, B, 3.5f, NULL },
{ "xai-api-key", "xAI key", "https://docs.x.ai/docs/overview", "xai-",
    "xai-[A-Za-z0-9]{70,90}" END, 0, B, 3.5f, NULL },
{ "perplexity-api-key", "Perplexity key",
    "https://docs.perplexity.ai/guides/getting-started", "pplx-",
    "pplx-[A-Za-z0-9]{40,64}" END, 0, B, 3.5f, NULL },
{ "replicate-api-token", "Replicate token",
    "https://replicate.com/docs/topics/security/api-tokens", "r8_",
    "r8_[A-Za-z0-9]{37}" END, 0, B, 3.5f, NULL },
{ "fireworks-api-key", "Fireworks AI key", GITHUB, "fw_",
    "fw_(?=[A-Za-z]{0,20}[0-9])[A-Za-z0-9]{20,28}" END, 0, B, 3.2f, NULL },
{ "cerebras-api-key", "Cerebras key",
    "https://inference-docs.cerebras.ai/quickstart", "csk-",
    "csk-[a-z0-9]{48}" END, 0, B, 3.5f, NULL },
{ "nvidia-api-key", "NVIDIA NGC or NIM key",
    "https://docs.nvidia.com/ngc/latest/ngc-user-guide.html", "nvapi-",
    "nvapi-[A-Za-z0-9_-]{60,70}" END, 0, B, 3.5f, NULL },
{ "langsmith-api-key", "LangSmith personal or service key",
    "https://docs.langchain.com/langsmith/create-account-api-key",
    "lsv2_pt_ lsv2_sk_", "lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}" END,
    0, B, 2.5f, NULL },
{ "elevenlabs-api-key", "ElevenLabs key",
    "https://elevenlabs.io/docs/api-reference/authentication", "sk_",
    "sk_[0-9a-f]{48}" END, 0, B, 2.5f, NULL },
{ "pinecone-api-key", "Pinecone key",
    "https://docs.pinecone.io/guides/projects/manage-api-keys", "pcsk_",
    "pcsk_[A-Za-z0-9]{5,6}_[A-Za-z0-9]{60,66}" END, 0, B, 3.5f, NULL },
{ "tavily-api-key", "Tavily key",
    "https://docs.tavily.com/documentation/api-reference/introduction",
    "tvly-", "tvly-(?:dev-|prod-)?[A-Za-z0-9_-]{30,60}", 0, B, 3.3f, NULL },
{ "jina-api-key", "Jina AI key", "https://jina.ai/api-dashboard/", "jina_",
    "jina_[A-Za-z0-9_-]{56,64}" END, 0, B, 3.5f, NULL },
{ "voyage-api-key", "Voyage AI key",
    "https://docs.voyageai.com/docs/api-key-and-installation", "voyage",
    "(?i:voyage)" IS "(pa-[A-Za-z0-9_-]{40,48})" END, 0, A, 3.5f, NULL },
{ "mistral-api-key", "Mistral key beside its name",
    "https://docs.mistral.ai/getting-started/quickstart/", "mistral",
    "(?i:mistral)" IS "([A-Za-z0-9]{32})" END, 0, A, 3.5f,
    ctx_redact_check_token },
{ "cohere-api-key", "Cohere key beside its name",
    "https://docs.cohere.com/reference/about", "cohere co_api_key",
    "(?i:cohere|co_api_key)" IS "([A-Za-z0-9]{40})" END, 0, A, 3.5f,
    ctx_redact_check_token },
{ "wandb-api-key", "Weights & Biases key beside its name",
    "https://docs.wandb.ai/guides/track/environment-variables/", "wandb",
    "(?i:wandb)" IS "([0-9a-f]{40})" END, 0, A, 3.0f, NULL },

/*
 * Clouds.
 */
{ "aws-access-key-id", "AWS access key id",
    "https://docs.aws.amazon.com/IAM/latest/UserGuide/"
    "reference_identifiers.html", "AKIA ASIA ABIA ACCA",
    "(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}" END, 0, B, 2.8f, NULL },
{ "aws-secret-access-key", "AWS secret access key beside its name",
    "https://docs.aws.amazon.com/IAM/latest/UserGuide/"
    "id_credentials_access-keys.html",
    "secretaccesskey secret_access_key secret-access-key aws_secret "
    "aws-secret secret_key secretkey",
    "(?i:(?:aws[_-]?)?secret[_-]?(?:access[_-]?)?key|aws[_-]secret)" IS
    "([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])", 0, A, 4.0f, NULL },
{ "aws-session-token", "AWS session token beside its name",
    "https://docs.aws.amazon.com/IAM/latest/UserGuide/"
    "id_credentials_temp_use-resources.html",
    "session_token sessiontoken session-token security-token",
    "(?i:(?:session|security)[_-]?token)" IS
    "([A-Za-z0-9/+%]{100,2000}={0,2})", 0, A, 4.0f, NULL },
{ "aws-presigned-signature", "signature of a presigned AWS URL",
    "https://docs.aws.amazon.com/AmazonS3/latest/API/"
    "sigv4-query-string-auth.html", "x-amz-signature=",
    "(?i:x-amz-signature=)([0-9a-f]{64})" END, 0, 0, 2.5f, NULL },
{ "aws-bedrock-api-key", "Amazon Bedrock key",
    "https://docs.aws.amazon.com/bedrock/latest/userguide/api-keys.html",
    "ABSK bedrock-api-key-",
    "(?:ABSK[A-Za-z0-9+/]{100,280}={0,2}|"
    "bedrock-api-key-[A-Za-z0-9+/]{100,4000}={0,2})", 0, B, 3.5f, NULL },
{ "gcp-service-account-key-id", "id of a Google service account's key",
    "https://cloud.google.com/iam/docs/keys-create-delete",
    "private_key_id", "private_key_id" IS "([0-9a-f]{40})" END,
    0, A, 3.0f, NULL },
{ "google-oauth-client-secret", "Google OAuth client secret",
    "https://developers.google.com/identity/protocols/oauth2", "GOCSPX-",
    "GOCSPX-[A-Za-z0-9_-]{28}" END, 0, B, 3.3f, NULL },
{ "google-oauth-token", "Google OAuth access or refresh token",
    "https://developers.google.com/identity/protocols/oauth2", "ya29. 1//0",
    "(?:ya29\\.[A-Za-z0-9_-]{30,1024}|1//0[A-Za-z0-9_-]{40,200})" END,
    0, B, 3.5f, NULL },
{ "azure-storage-key", "Azure storage account key",
    "https://learn.microsoft.com/en-us/azure/storage/common/"
    "storage-configure-connection-string", "accountkey",
    "(?i:accountkey)\\s{0,4}=\\s{0,4}([A-Za-z0-9+/]{86}==)", 0, 0, 4.0f,
    NULL },
{ "azure-shared-access-key", "Azure Service Bus, Event Hubs or IoT key",
    "https://learn.microsoft.com/en-us/azure/service-bus-messaging/"
    "service-bus-sas", "sharedaccesskey=",
    "(?i:sharedaccesskey=)([A-Za-z0-9+/]{40,90}={0,2})", 0, 0, 3.5f, NULL },
{ "azure-sas-signature", "signature of an Azure SAS URL",
    "https://learn.microsoft.com/en-us/rest/api/storageservices/"
    "create-service-sas", "?sig= &sig= ;sig=",
    "[?&;]sig=([A-Za-z0-9%/+]{40,70}(?:%3[Dd]|=))", 0, 0, 3.5f, NULL },
{ "azure-client-secret", "Microsoft Entra client secret", GITHUB,
    "0q~ 1q~ 2q~ 3q~ 4q~ 5q~ 6q~ 7q~ 8q~ 9q~",
    "[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}" END, 3, B | F, 3.5f,
    NULL },
{ "azure-devops-token", "Azure DevOps personal access token",
    "https://learn.microsoft.com/en-us/azure/devops/organizations/accounts/"
    "use-personal-access-tokens-to-authenticate", "AZDO",
    "[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}" END, 76, B | F, 3.5f, NULL },
{ "digitalocean-token", "DigitalOcean token",
    "https://docs.digitalocean.com/reference/api/"
    "create-personal-access-token/", "dop_v1_ doo_v1_ dor_v1_",
    "do[opr]_v1_[0-9a-f]{64}" END, 0, B, 2.5f, NULL },
{ "cloudflare-origin-ca-key", "Cloudflare origin CA key",
    "https://developers.cloudflare.com/fundamentals/api/get-started/ca-keys/",
    "v1.0-", "v1\\.0-[0-9a-f]{24}-[0-9a-f]{146}" END, 0, B, 2.5f, NULL },
{ "cloudflare-api-token", "Cloudflare key or token beside its name",
    "https://developers.cloudflare.com/fundamentals/api/get-started/"
    "create-token/", "cloudflare cf_api",
    "(?i:cloudflare|cf_api)" IS "([A-Za-z0-9_-]{40}|[0-9a-f]{37})" END,
    0, A, 3.3f, ctx_redact_check_token },
{ "alibaba-access-key-id", "Alibaba Cloud AccessKey id",
    "https://www.alibabacloud.com/help/en/ram/user-guide/"
    "create-an-accesskey-pair", "LTAI", "LTAI[A-Za-z0-9]{12,26}" END,
    0, B, 3.3f, NULL },
{ "tencent-secret-id", "Tencent Cloud SecretId",
    "https://www.tencentcloud.com/document/product/598/34227", "AKID",
    "AKID[A-Za-z0-9]{32}" END, 0, B, 3.5f, NULL },
{ "heroku-api-key", "Heroku key",
    "https://devcenter.heroku.com/articles/authentication",
    "HRKU-AA heroku",
    "(?:HRKU-AA[A-Za-z0-9_-]{58}|(?i:heroku)" IS "(" UUID "))" END,
    0, 0, 2.8f, NULL },
{ "flyio-token", "Fly.io token", "https://fly.io/docs/security/tokens/",
    "fm2_ fm1r_ fm1a_ fo1_",
    "(?:fo1_[A-Za-z0-9_-]{43}" END "|fm(?:1[ar]|2)_"
    "[A-Za-z0-9+/]{100,2000}={0,3})", 0, B, 3.5f, NULL },
{ "supabase-token", "Supabase access token or secret key",
    "https://supabase.com/docs/guides/api/api-keys", "sbp_ sb_secret_",
    "(?:sbp_[0-9a-f]{40}|sb_secret_[A-Za-z0-9_-]{30,50})" END, 0, B, 2.5f,
    NULL },
{ "netlify-token", "Netlify token",
    "https://docs.netlify.com/api/get-started/", "nfp_",
    "nfp_[A-Za-z0-9]{36}" END, 0, B, 3.3f, NULL },
{ "databricks-token", "Databricks token",
    "https://docs.databricks.com/en/dev-tools/auth/pat.html", "dapi",
    "dapi[0-9a-f]{32}(?:-[0-9])?" END, 0, B, 2.5f, NULL },
{ "planetscale-token", "PlanetScale token or password",
    "https://planetscale.com/docs/api/reference/service-tokens", "pscale_",
    "pscale_(?:tkn|oauth|pw)_[A-Za-z0-9_=.-]{32,64}" END, 0, B, 3.3f, NULL },
{ "doppler-token", "Doppler token",
    "https://docs.doppler.com/reference/auth-token-formats",
    "dp.pt. dp.st. dp.sa. dp.ct. dp.scim.",
    "dp\\.(?:pt|sa|ct|scim|st(?:\\.[a-z0-9_-]{2,35})?)\\.[A-Za-z0-9]{40,44}"
    END, 0, B, 3.5f, NULL },
{ "pulumi-token", "Pulumi token",
    "https://www.pulumi.com/docs/pulumi-cloud/access-management/"
    "access-tokens/", "pul-", "pul-[0-9a-f]{40}" END, 0, B, 2.5f, NULL },
{ "terraform-token", "HCP Terraform token",
    "https://developer.hashicorp.com/terraform/cloud-docs/users-teams-"
    "organizations/api-tokens", ".atlasv1.",
    "[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_=-]{60,70}" END, 14, B | F,
    3.5f, NULL },
{ "vault-token", "HashiCorp Vault service, batch or recovery token",
    "https://developer.hashicorp.com/vault/docs/concepts/tokens",
    "hvs. hvb. hvr.", "hv[sbr]\\.[A-Za-z0-9_-]{24,300}" END, 0, B, 3.3f,
    NULL },
{ "tailscale-key", "Tailscale key", "https://tailscale.com/kb/1085/auth-keys",
    "tskey-", "tskey-[a-z]{3,10}-[A-Za-z0-9]{8,24}-[A-Za-z0-9]{16,48}" END,
    0, B, 3.3f, NULL },
{ "age-secret-key", "age identity",
    "https://github.com/C2SP/C2SP/blob/main/age.md", "AGE-SECRET-KEY-1",
    "AGE-SECRET-KEY-1[AC-HJ-NP-Z02-9]{58}" END, 0, 0, 3.3f, NULL },
{ "1password-token", "1Password service account token",
    "https://developer.1password.com/docs/service-accounts/security/",
    "ops_eyJ", "ops_eyJ[A-Za-z0-9+/_-]{200,2000}={0,3}", 0, B, 3.5f, NULL },

/*
 * Code hosts and package registries.
 */
{ "github-fine-grained-token", "GitHub fine-grained personal access token",
    "https://github.blog/security/application-security/"
    "introducing-fine-grained-personal-access-tokens-for-github/",
    "github_pat_", "github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}" END,
    0, 0, 3.5f, NULL },
{ "github-app-token", "GitHub App installation token in the stateless form",
    "https://docs.github.com/en/apps/creating-github-apps/"
    "authenticating-with-a-github-app/"
    "generating-an-installation-access-token-for-a-github-app", "ghs_",
    "ghs_[A-Za-z0-9_-]{20,1000}(?:\\.[A-Za-z0-9_-]{20,1000}){2}", 0, 0,
    3.5f, NULL },
{ "github-token", "GitHub token with its checksum",
    "https://github.blog/engineering/platform-security/"
    "behind-githubs-new-authentication-token-formats/",
    "ghp_ gho_ ghu_ ghs_ ghr_",
    "gh(?:[pous]_[A-Za-z0-9]{36}|r_[A-Za-z0-9]{36,76})" END, 0, 0, 3.0f,
    ctx_redact_check_crc },
{ "gitlab-token", "GitLab personal, deploy, runner, job or other token",
    "https://docs.gitlab.com/security/tokens/",
    "glpat- gldt- glrt- glrtr- glcbt- glptt- glft- glimt- glagent- gloas- "
    "glsoat- glffct- glwt-",
    "gl(?:pat|dt|rtr?|cbt|ptt|ft|imt|agent|oas|soat|ffct|wt)-"
    "[A-Za-z0-9_-]{20,300}(?:\\.[0-9a-z]{2}\\.?[0-9a-z]{7})?", 0, B, 3.0f,
    NULL },
{ "gitlab-runner-registration-token", "GitLab runner registration token",
    "https://docs.gitlab.com/security/tokens/", "GR1348941",
    "GR1348941[A-Za-z0-9_-]{20}" END, 0, B, 3.0f, NULL },
{ "atlassian-token", "Atlassian or Bitbucket token",
    "https://support.atlassian.com/atlassian-account/docs/"
    "manage-api-tokens-for-your-atlassian-account/", "ATATT3 ATBB ATCTT3",
    "(?:ATATT3[A-Za-z0-9_=-]{100,300}|ATCTT3[A-Za-z0-9_=-]{100,300}|"
    "ATBB[A-Za-z0-9]{24,40}" END ")", 0, B, 3.3f, NULL },
{ "npm-token", "npm token with its checksum",
    "https://github.blog/changelog/"
    "2021-09-23-npm-has-a-new-access-token-format/", "npm_",
    "npm_[A-Za-z0-9]{36}" END, 0, 0, 3.0f, ctx_redact_check_crc },
{ "npm-auth", "credentials in .npmrc",
    "https://docs.npmjs.com/cli/configuring-npm/npmrc",
    "_auth _password",
    "_(?i:authtoken|auth|password)[ \\t]{0,4}=[ \\t]{0,4}\"?"
    "([A-Za-z0-9+/=_.-]{16,512}+)(?!\\()", 0, 0, 3.0f,
    ctx_redact_check_token },
{ "pypi-token", "PyPI or TestPyPI token",
    "https://pypi.org/help/#apitoken", "pypi-AgE",
    "pypi-AgE[A-Za-z0-9_-]{60,1000}", 0, 0, 3.5f, NULL },
{ "rubygems-key", "RubyGems key",
    "https://guides.rubygems.org/api-key-scopes/", "rubygems_",
    "rubygems_[0-9a-f]{48}" END, 0, B, 2.5f, NULL },
{ "crates-token", "crates.io token", GITHUB, "cio",
    "cio[A-Za-z0-9]{32}" END, 0, B, 3.6f, ctx_redact_check_token },
{ "nuget-key", "NuGet key",
    "https://learn.microsoft.com/en-us/nuget/nuget-org/scoped-api-keys",
    "oy2", "oy2[a-z0-9]{43}" END, 0, B, 3.3f, NULL },
{ "docker-token", "Docker access token",
    "https://docs.docker.com/security/access-tokens/",
    "dckr_pat_ dckr_oat_", "dckr_[po]at_[A-Za-z0-9_-]{27,40}" END, 0, B,
    3.3f, NULL },

/*
 * Services.
 */
{ "slack-token", "Slack token",
    "https://api.slack.com/concepts/token-types",
    "xoxb- xoxp- xoxa- xoxo- xoxs- xoxr- xoxe- xoxe.xox xapp-",
    "(?:xoxe\\.)?(?:xox[bpaosre]|xapp)-(?=[A-Za-z-]{0,12}[0-9])"
    "[A-Za-z0-9-]{20,250}" END, 0, 0, 2.8f, NULL },
{ "slack-webhook", "Slack webhook",
    "https://api.slack.com/messaging/webhooks", "hooks.slack.com",
    "hooks\\.slack\\.com/(?:services|workflows|triggers)/"
    "([A-Za-z0-9]{8,14}/[A-Za-z0-9]{8,14}/[A-Za-z0-9/]{16,48})", 0, 0, 3.3f,
    NULL },
{ "teams-webhook", "Microsoft Teams webhook",
    "https://learn.microsoft.com/en-us/microsoftteams/platform/"
    "webhooks-and-connectors/how-to/add-incoming-webhook",
    "webhook.office.com",
    "webhook\\.office\\.com/webhookb2/(" UUID "@" UUID
    "/IncomingWebhook/[0-9a-f]{32}/" UUID ")", 0, 0, 2.5f, NULL },
{ "discord-webhook", "Discord webhook",
    "https://discord.com/developers/docs/resources/webhook",
    "/api/webhooks/", "/api/webhooks/([0-9]{17,20}/[A-Za-z0-9_-]{60,80})",
    0, 0, 3.5f, NULL },
{ "discord-bot-token", "Discord bot token beside its name",
    "https://docs.discord.com/developers/reference#authentication",
    "discord bot_token",
    "(?i:discord|bot_token)" IS
    "([MNO][A-Za-z0-9_-]{23,27}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,40})"
    END, 0, A, 3.5f, NULL },
{ "telegram-bot-token", "Telegram bot token",
    "https://core.telegram.org/bots/features#botfather", ":AA",
    "[0-9]{8,10}:AA[A-Za-z0-9_-]{33}" END, 10, 0, 3.3f, NULL },
{ "stripe-key", "Stripe secret or restricted key",
    "https://docs.stripe.com/keys",
    "sk_live_ rk_live_ sk_test_ rk_test_ sk_prod_ rk_prod_",
    "[sr]k_(?:live|test|prod)_[A-Za-z0-9]{16,250}", 0, B, 3.0f, NULL },
{ "stripe-webhook-secret", "webhook signing secret (Stripe, Svix, Clerk)",
    "https://docs.stripe.com/webhooks", "whsec_",
    "whsec_[A-Za-z0-9+/=]{24,100}", 0, B, 3.3f, NULL },
{ "twilio-key", "Twilio auth token or key beside its name",
    "https://www.twilio.com/docs/iam/api-keys", "twilio",
    "(?i:twilio)" IS "((?:SK)?[0-9a-f]{32})" END, 0, A, 2.8f, NULL },
{ "sendgrid-key", "SendGrid key",
    "https://www.twilio.com/docs/sendgrid/ui/account-and-settings/api-keys",
    "SG.", "SG\\.[A-Za-z0-9_-]{22}\\.[A-Za-z0-9_-]{43}" END, 0, B, 3.5f,
    NULL },
{ "mailgun-key", "Mailgun key",
    "https://documentation.mailgun.com/docs/mailgun/api-reference/"
    "mg-auth", "key- mailgun",
    "(?:key-[0-9a-f]{32}|(?i:mailgun)" IS
    "([0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}))" END, 0, B, 2.5f, NULL },
{ "mailchimp-key", "Mailchimp key",
    "https://mailchimp.com/developer/marketing/guides/quick-start/",
    "-us1 -us2 -us3 -us4 -us5 -us6 -us7 -us8 -us9",
    "[0-9a-f]{32}-us[0-9]{1,2}" END, 32, B | F, 2.5f, NULL },
{ "brevo-key", "Brevo (Sendinblue) key",
    "https://developers.brevo.com/docs/getting-started",
    "xkeysib- xsmtpsib-", "x(?:key|smtp)sib-[0-9a-f]{64}-[A-Za-z0-9]{16}"
    END, 0, B, 2.5f, NULL },
{ "postman-key", "Postman key",
    "https://learning.postman.com/docs/developer/postman-api/"
    "authentication/", "PMAK-", "PMAK-[0-9a-f]{24}-[0-9a-f]{34}" END, 0, B,
    2.5f, NULL },
{ "shopify-token", "Shopify token or secret",
    "https://shopify.dev/docs/apps/build/authentication-authorization",
    "shpat_ shpca_ shppa_ shpss_",
    "shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}" END, 0, B, 2.5f, NULL },
{ "square-token", "Square access token or OAuth secret",
    "https://developer.squareup.com/docs/build-basics/access-tokens",
    "sq0atp- sq0csp- EAAA",
    "(?:sq0(?:atp|csp)-[A-Za-z0-9_-]{22,60}|EAAA[A-Za-z0-9_-]{60})" END,
    0, B, 3.5f, NULL },
{ "facebook-token", "Facebook access token",
    "https://developers.facebook.com/docs/facebook-login/guides/"
    "access-tokens/", "EAAC EAAM EAAG EAAB EAAD",
    "EAA[A-Z][A-Za-z0-9]{100,400}" END, 0, B, 3.5f, NULL },
{ "linear-key", "Linear key",
    "https://linear.app/developers/graphql", "lin_api_ lin_oauth_",
    "lin_(?:api|oauth)_[A-Za-z0-9]{40,64}" END, 0, B, 3.3f, NULL },
{ "notion-token", "Notion integration token",
    "https://developers.notion.com/docs/authorization", "ntn_ secret_",
    "(?:ntn_[0-9]{11}[A-Za-z0-9]{35}|secret_[A-Za-z0-9]{43})" END, 0, B,
    3.5f, NULL },
{ "airtable-token", "Airtable personal access token beside its name",
    "https://airtable.com/developers/web/guides/personal-access-tokens",
    "airtable", "(?i:airtable)" IS
    "(pat[A-Za-z0-9]{14}\\.[0-9a-f]{64})" END, 0, A, 3.0f, NULL },
{ "figma-token", "Figma token",
    "https://developers.figma.com/docs/rest-api/authentication/",
    "figd_ figu_", "fig[du]_[A-Za-z0-9_-]{40,80}" END, 0, B, 3.5f, NULL },
{ "typeform-token", "Typeform token",
    "https://www.typeform.com/developers/get-started/"
    "personal-access-token/", "tfp_", "tfp_[A-Za-z0-9_.-]{44,60}" END, 0, B,
    3.5f, NULL },
{ "hubspot-token", "HubSpot private app token",
    "https://developers.hubspot.com/docs/guides/apps/private-apps/overview",
    "pat-na1- pat-na2- pat-eu1- pat-ap1-",
    "pat-(?:na|eu|ap)[0-9]-" UUID END, 0, B, 2.8f, NULL },
{ "dropbox-token", "Dropbox short-lived token",
    "https://developers.dropbox.com/oauth-guide", "sl.u. sl.A sl.B sl.C",
    "sl\\.(?:u\\.)?[A-Za-z0-9_=-]{130,2000}" END, 0, B, 4.0f, NULL },
{ "plaid-token", "Plaid access token",
    "https://plaid.com/docs/api/tokens/",
    "access-sandbox- access-development- access-production-",
    "access-(?:sandbox|development|production)-" UUID END, 0, B, 2.8f,
    NULL },
{ "razorpay-key", "Razorpay key id",
    "https://razorpay.com/docs/api/authentication/", "rzp_live_ rzp_test_",
    "rzp_(?:live|test)_[A-Za-z0-9]{14}" END, 0, B, 3.0f, NULL },
{ "braintree-token", "PayPal Braintree access token", GITHUB,
    "access_token$",
    "access_token\\$(?:production|sandbox)\\$[0-9a-z]{16}\\$[0-9a-f]{32}"
    END, 0, 0, 3.0f, NULL },
{ "newrelic-key", "New Relic user or ingest key",
    "https://docs.newrelic.com/docs/apis/intro-apis/new-relic-api-keys/",
    "NRAK- nral",
    "(?:NRAK-[A-Z0-9]{27}|[0-9a-f]{36}NRAL)" END, 36, B, 2.8f, NULL },
{ "grafana-token", "Grafana service account or cloud token",
    "https://grafana.com/docs/grafana/latest/administration/"
    "service-accounts/", "glsa_ glc_",
    "(?:glsa_[A-Za-z0-9]{32}_[0-9A-Fa-f]{8}|glc_[A-Za-z0-9+/]{60,400}={0,3})"
    END, 0, B, 3.3f, NULL },
{ "sentry-token", "Sentry organization or user token",
    "https://docs.sentry.io/account/auth-tokens/", "sntrys_ sntryu_",
    "(?:sntrys_[A-Za-z0-9+/=]{60,400}_[A-Za-z0-9+/]{43}|"
    "sntryu_[0-9a-f]{64})" END, 0, B, 2.8f, NULL },
{ "dynatrace-token", "Dynatrace token",
    "https://docs.dynatrace.com/docs/shortlink/"
    "api-authentication", "dt0c01. dt0s01. dt0s16.",
    "dt0[a-z][0-9]{2}\\.[A-Z0-9]{24}\\.[A-Z0-9]{64}" END, 0, B, 3.5f,
    NULL },
{ "datadog-key", "Datadog API or application key beside its name",
    "https://docs.datadoghq.com/account_management/api-app-keys/",
    "datadog dd_api_key dd_app_key dd-api-key dd-application-key",
    "(?i:datadog|dd[_-](?:api|app|application)[_-]key)" IS
    "([0-9a-f]{32}(?:[0-9a-f]{8})?)" END, 0, A, 2.8f, NULL },
{ "okta-token", "Okta API token",
    "https://developer.okta.com/docs/guides/create-an-api-token/main/",
    "ssws", "(?i:ssws)[ \\t]{1,4}(00[A-Za-z0-9_-]{40})" END, 0, B, 3.5f,
    NULL },
{ "ssh-putty-key", "PuTTY private key",
    "https://the.earth.li/~sgtatham/putty/latest/htmldoc/AppendixC.html",
    "private-lines:",
    "(?i:private-lines): [0-9]{1,4}\\s{1,4}"
    "((?:[A-Za-z0-9+/=]{20,64}\\s{1,4}){1,400})", 0, 0, 3.0f, NULL },

/* Forms used by many. */
{ "private-key", "private key block: PEM, OpenSSH, PGP",
    "https://www.rfc-editor.org/rfc/rfc7468", "-----BEGIN",
    "-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----"
    "(?:(?:[^-]++|-(?!----))++-----END [A-Z0-9 ]{1,60}-----|"
    /* cut off: as far as the lines look like base64 */
    "(?:(?:\\\\[nr]|\\s){1,4}[A-Za-z0-9+/=]{16,80})++)", 0, 0, 3.0f,
    ctx_redact_check_pem },
{ "jwt", "JSON web token", "https://www.rfc-editor.org/rfc/rfc7519",
    "eyJ",
    "eyJ[A-Za-z0-9_-]{8,}+\\.[A-Za-z0-9_-]{8,}+\\.[A-Za-z0-9_-]*+",
    0, B, 3.0f, ctx_redact_check_jwt },
{ "auth-bearer", "bearer token in a header",
    "https://www.rfc-editor.org/rfc/rfc6750", "bearer",
    "(?i:bearer)(?:[ \\t]{1,4}|%20)\\\\*[\"']?"
    "([A-Za-z0-9._~+/=-]{16,4000}+)(?!\\()", 0, B, 3.3f,
    ctx_redact_check_token },
{ "auth-basic", "user and password in a header",
    "https://www.rfc-editor.org/rfc/rfc7617", "basic",
    "(?i:basic)(?:[ \\t]{1,4}|%20)([A-Za-z0-9+/_-]{8,512}={0,2})", 0, B,
    2.5f, ctx_redact_check_basic },
{ "auth-header", "token in another authorization header",
    "https://www.rfc-editor.org/rfc/rfc9110#name-authorization",
    "authorization",
    "(?i)authorization\\\\*[\"']?\\s{0,4}[:=]\\s{0,4}\\\\*[\"']?"
    "(?:token|apikey|api-key|bot|key)[ \\t=]{1,4}"
    "([A-Za-z0-9._~+/=-]{16,512}+)", 0, 0, 3.3f, ctx_redact_check_token },
{ "url-credentials", "password in a URL",
    "https://www.rfc-editor.org/rfc/rfc3986#section-3.2.1", "://",
    "://[^\\s:@/?#\"'`<>\\\\\\[\\](){}|]{0,128}:"
    "([^\\s:@/?#\"'`<>\\\\|]{3,256})@[A-Za-z0-9\\[$]", 0, 0, 1.9f,
    ctx_redact_check_userinfo },
{ "url-token", "token in a URL's query",
    "https://www.rfc-editor.org/rfc/rfc6750#section-2.3",
    "access_token= api_key= apikey= api-key= auth_token= ?token= &token= "
    "?key= &key= ?secret= &secret= client_secret= refresh_token= "
    "?password= &password= subscription-key= ?auth= &auth= ?code= &code= "
    "?signature= &signature= private_token=",
    "(?:[?&]|(?<=[?&;]))(?i:[a-z_-]{3,20})="
    "([^\\s&\"'`#<>\\\\,;(){}\\[\\]]{10,1024}+)(?![(\\[{])",
    0, 0, 3.0f, ctx_redact_check_token },
{ "connection-password", "password in a connection string",
    "https://www.connectionstrings.com/sql-server/",
    "password= pwd=",
    ";[ ]?(?i:password|pwd)=([^\\s;\"'`\\\\,<>{}]{4,128})", 2, 0, 1.5f,
    ctx_redact_check_userinfo },
{ "netrc-password", "password in .netrc",
    "https://www.gnu.org/software/inetutils/manual/html_node/"
    "The-_002enetrc-file.html", "machine",
    "machine\\s{1,4}[A-Za-z0-9.-]{3,80}\\s{1,8}login\\s{1,4}\\S{1,80}"
    "\\s{1,8}password\\s{1,4}([^\\s\"'\\\\]{4,256})", 0, B, 2.0f,
    ctx_redact_check_userinfo },
{ "pgpass-password", "password in an environment variable of a database",
    "https://www.postgresql.org/docs/current/libpq-envars.html",
    "PGPASSWORD= MYSQL_PWD= REDISCLI_AUTH= SSHPASS=",
    "(?:PGPASSWORD|MYSQL_PWD|REDISCLI_AUTH|SSHPASS)=[\"']?"
    "([^\\s\"'\\\\;&|]{4,128})", 0, 0, 1.5f, ctx_redact_check_userinfo },
{ "curl-user", "user and password on a command line",
    "https://curl.se/docs/manpage.html#-u", "curl",
    "curl[ \\t](?:[^\\n|;&]{0,400}?[ \\t])?(?:-u|--user)[ =]?\\\\*[\"']?"
    "[^\\s:\"'$\\\\]{1,64}:([^\\s\"'$\\\\]{4,128})", 0, B, 2.0f,
    ctx_redact_check_userinfo },
{ "command-option", "password or token as a command's option",
    "https://cwe.mitre.org/data/definitions/214.html",
    "--password --token --api-key --secret --passwd --auth-token",
    "--(?:password|passwd|token|api-key|secret|auth-token)[ =]\\\\*[\"']?"
    "([^\\s\"'`\\\\<>;|&(){}\\[\\]]{8,256}+)", 0, 0, 2.8f,
    ctx_redact_check_password },
{ "generic-password", "password assigned or stated",
    "https://cwe.mitre.org/data/definitions/798.html",
    "password passwd passphrase passcode pwd "
    "\xe5\xaf\x86\xe7\xa0\x81 \xe5\x8f\xa3\xe4\xbb\xa4 "
    /* two Chinese words for "password", as JSON may escape them */
    "\\u5bc6\\u7801 \\u53e3\\u4ee4",
    "(?i:pass(?:word|wd|phrase|code)|pwd|\xe5\xaf\x86\xe7\xa0\x81|"
    "\xe5\x8f\xa3\xe4\xbb\xa4)" NOT_META IS
    "((?<=[\"'`])(?:(?![\"'`\\\\])[!-~]){5,128}+(?=\\\\*[\"'`])|"
    "(?:(?![\"'`,;<>(){}\\[\\]\\\\|&])[!-~]){5,128}+(?![(\\[]))",
    0, A, 2.0f, ctx_redact_check_password },
{ "generic-secret", "secret, token or key assigned or stated",
    "https://cwe.mitre.org/data/definitions/798.html",
    "secret token api_key api-key apikey access_key access-key accesskey "
    "private_key private-key privatekey auth_key auth-key authkey "
    "encryption_key signing_key master_key credential "
    "\xe5\xaf\x86\xe9\x92\xa5 \xe4\xbb\xa4\xe7\x89\x8c "
    "\\u5bc6\\u94a5 \\u4ee4\\u724c",
    "(?i:secret|(?<!page|page_|page-|page |next|next_|sync|sync_|continuation|"
    "continuation_)token|(?:api|access|private|auth|encryption|signing|"
    "master)[_-]?key|credential|\xe5\xaf\x86\xe9\x92\xa5|"
    "\xe4\xbb\xa4\xe7\x89\x8c)" NOT_META IS
    "([A-Za-z0-9_+/=.~$-]{16,512}+)(?![(\\[{])", 0, A, 3.3f,
    ctx_redact_check_token },
};

const size_t ctx_redact_nrules =
    sizeof(ctx_redact_rules) / sizeof(ctx_redact_rules[0]);
