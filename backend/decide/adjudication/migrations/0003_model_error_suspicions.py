"""Researchers who sort a model's errors can hold a label for wrong."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("adjudication", "0002_frozen_rows")]
    operations = [
        migrations.RemoveConstraint(model_name="suspicion", name="suspicion_kind_known"),
        migrations.AlterField(
            model_name="suspicion",
            name="kind",
            field=models.CharField(
                choices=[
                    ("near-identical", "Judged differently on nearly the same words"),
                    ("recheck", "Judged differently when asked again"),
                    ("prediction", "A model that has not seen the item is sure of another label"),
                    ("model-error", "A researcher holds the label for wrong, and a model right"),
                ],
                max_length=20,
            ),
        ),
        migrations.AddConstraint(
            model_name="suspicion",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["near-identical", "recheck", "prediction", "model-error"])),
                name="suspicion_kind_known",
            ),
        ),
    ]
