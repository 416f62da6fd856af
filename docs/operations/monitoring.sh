#!/usr/bin/env bash
# Makes the log-based metrics and the alerts of this folder in a project, or brings them up to date.
#
#   docs/operations/monitoring.sh PROJECT CHANNEL…
#
# CHANNEL is a notification channel, projects/PROJECT/notificationChannels/ID:
#   gcloud beta monitoring channels list --project=PROJECT --format='value(name,displayName)'
# Runs as whoever gcloud is signed in as: roles/logging.configWriter and roles/monitoring.alertPolicyEditor.
set -euo pipefail

if [ "$#" -lt 2 ]; then
  echo "usage: $0 PROJECT CHANNEL…" >&2
  exit 2
fi

project=$1
shift
channels=$(IFS=, && echo "$*")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

for file in "$here"/metrics/*.json; do
  name=$(basename "$file" .json)
  if gcloud logging metrics describe "$name" --project="$project" >/dev/null 2>&1; then
    gcloud logging metrics update "$name" --project="$project" --config-from-file="$file"
  else
    gcloud logging metrics create "$name" --project="$project" --config-from-file="$file"
  fi
done

for file in "$here"/alerts/*.json; do
  title=$(sed -n 's/^  "displayName": "\(.*\)",$/\1/p' "$file")
  policy=$(gcloud alpha monitoring policies list --project="$project" \
    --filter="displayName=\"$title\"" --format="value(name)" --limit=1)
  if [ -n "$policy" ]; then
    gcloud alpha monitoring policies update "$policy" --project="$project" \
      --policy-from-file="$file" --set-notification-channels="$channels"
  else
    gcloud alpha monitoring policies create --project="$project" \
      --policy-from-file="$file" --notification-channels="$channels"
  fi
done
