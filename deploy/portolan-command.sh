#!/bin/sh
# Runs a command with the user, settings and secrets of portolan.service:
#   sudo deploy/portolan-command.sh administrator admin@your-agency.com Ada Admin
exec systemd-run --quiet --pipe --wait --collect \
  -p DynamicUser=yes -p User=portolan -p StateDirectory=portolan -p StateDirectoryMode=0700 -p UMask=0077 \
  -p WorkingDirectory=/var/lib/portolan -p EnvironmentFile=/etc/portolan/portolan.env \
  -p LoadCredential=database-url:/etc/portolan/secrets/database-url \
  -p LoadCredential=secrets-key:/etc/portolan/secrets/secrets-key \
  -p LoadCredential=smtp-url:/etc/portolan/secrets/smtp-url \
  -E NODE_ENV=production -E DATA_DIR=/var/lib/portolan \
  /bin/sh -c 'export DATABASE_URL_FILE="$CREDENTIALS_DIRECTORY/database-url" SECRETS_KEY_FILE="$CREDENTIALS_DIRECTORY/secrets-key" \
    SMTP_URL_FILE="$CREDENTIALS_DIRECTORY/smtp-url"; exec /usr/bin/node /opt/portolan/bin/portolan.mjs "$@"' portolan "$@"
