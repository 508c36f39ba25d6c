"""The pool keeps embeddings alone."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("active", "0003_predictions_are_kept_once")]
    operations = [
        migrations.RemoveConstraint(model_name="poolprediction", name="predicted_once_by_adapter"),
        migrations.RemoveField(model_name="poolprediction", name="prediction"),
        migrations.RenameModel(old_name="PoolPrediction", new_name="PoolEmbedding"),
        migrations.AlterField(
            model_name="poolembedding", name="embedding", field=models.BinaryField(help_text="float32")
        ),
        migrations.AlterField(
            model_name="poolembedding",
            name="adapter",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="pool_embeddings",
                to="adapters.adapter",
            ),
        ),
        migrations.AlterField(
            model_name="poolembedding",
            name="item",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="pool_embeddings",
                to="samples.item",
            ),
        ),
        migrations.AddConstraint(
            model_name="poolembedding",
            constraint=models.UniqueConstraint(name="embedded_once_by_adapter", fields=["adapter", "item"]),
        ),
    ]
