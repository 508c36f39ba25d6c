"""What adapters said about the pool goes to where all that they said is kept."""

from django.db import migrations
from django.utils import timezone

CHUNK = 500


def move_predictions(apps, schema_editor):
    pool = apps.get_model("active", "PoolPrediction")
    kept = apps.get_model("prelabels", "KeptPrediction")
    # When they were made nobody wrote down.
    now = timezone.now()
    rows = pool.objects.order_by("pk").values_list("adapter_id", "item_id", "prediction")
    chunk = []
    for adapter, item, prediction in rows.iterator(CHUNK):
        chunk.append(kept(adapter_id=adapter, item_id=item, content=prediction, made_at=now))
        if len(chunk) == CHUNK:
            kept.objects.bulk_create(chunk, ignore_conflicts=True)
            chunk = []
    kept.objects.bulk_create(chunk, ignore_conflicts=True)
    pool.objects.filter(embedding=None).delete()


class Migration(migrations.Migration):
    dependencies = [("active", "0002_frozen_rows"), ("prelabels", "0002_frozen_rows")]
    operations = [migrations.RunPython(move_predictions, migrations.RunPython.noop)]
